import { type ApiStatus, isApiError } from 'setpoint/client'

/** Where kubectl itself can be had. */
export const installHint = 'https://kubernetes.io/docs/tasks/tools/'

/** Something that kubectl, too, would refuse: told in its words, which people search for, and ends with 1. */
export class KubectlProblem extends Error {
  override readonly name = 'KubectlProblem'
}

/** What our small kubectl cannot do and the real one could. */
export function unsupported(what: string): KubectlProblem {
  return new KubectlProblem(
    `error: the kubectl in setpoint does not know ${what}; install kubectl: ${installHint}`,
  )
}

/** How kubectl tells an error of the server; `undefined` for others. */
export function serverWords(error: unknown): string | undefined {
  if (!isApiError(error)) return undefined
  const { status } = error
  if (status.reason === 'Invalid') return invalidWords(status)
  if (status.reason === '') return `Error from server: ${status.message}`
  return `Error from server (${status.reason}): ${status.message}`
}

/** `The Widget "one" is invalid: spec.size: Required value`, or a list when there are several causes. */
function invalidWords({ message, details }: ApiStatus): string {
  if (details === undefined) return `The request is invalid: ${message}`
  const { kind = '', name = '' } = details as { kind?: string; name?: string }
  const subject =
    kind === '' && name === ''
      ? 'The request is invalid'
      : `The ${kind} ${JSON.stringify(name)} is invalid`
  const told = (details.causes ?? []).map(({ field, message: why = '' }) =>
    field === undefined || field === '' ? why : `${field}: ${why}`,
  )
  const causes = [...new Set(told)]
  if (causes.length === 0) return subject
  if (causes.length === 1) return `${subject}: ${causes[0] ?? ''}`
  return [`${subject}: `, ...causes.map((cause) => `* ${cause}`)].join('\n')
}

/** The same, with what was being done: `error when creating "web.yaml": ...`. */
export function serverWordsWhen(doing: string, error: unknown): string | undefined {
  if (!isApiError(error)) return undefined
  const { status } = error
  if (status.reason === 'Invalid') return invalidWords(status)
  const reason = status.reason === '' ? '' : ` (${status.reason})`
  return `Error from server${reason}: error when ${doing}: ${status.message}`
}
