import { type ApiStatus, isApiError } from 'setpoint/client'

/** The page that describes how to install kubectl. */
export const installHint = 'https://kubernetes.io/docs/tasks/tools/'

/** An error with kubectl's own message, which users can search for; the exit code is 1. */
export class KubectlProblem extends Error {
  override readonly name = 'KubectlProblem'
}

/** An error for what only the real kubectl can do. */
export function unsupported(what: string): KubectlProblem {
  return new KubectlProblem(
    `error: the kubectl in setpoint does not support ${what}; install kubectl: ${installHint}`,
  )
}

/** The message that kubectl prints for an error of the server; `undefined` for other errors. */
export function serverMessage(error: unknown): string | undefined {
  if (!isApiError(error)) return undefined
  const { status } = error
  if (status.reason === 'Invalid') return invalidMessage(status)
  if (status.reason === '') return `Error from server: ${status.message}`
  return `Error from server (${status.reason}): ${status.message}`
}

/**
 * `The Widget "one" is invalid: spec.size: Required value`, or a list when there are several
 * causes.
 */
function invalidMessage({ message, details }: ApiStatus): string {
  if (details === undefined) return `The request is invalid: ${message}`
  const { kind = '', name = '' } = details as { kind?: string; name?: string }
  const subject =
    kind === '' && name === ''
      ? 'The request is invalid'
      : `The ${kind} ${JSON.stringify(name)} is invalid`
  const messages = (details.causes ?? []).map(({ field, message: why = '' }) =>
    field === undefined || field === '' ? why : `${field}: ${why}`,
  )
  const causes = [...new Set(messages)]
  if (causes.length === 0) return subject
  if (causes.length === 1) return `${subject}: ${causes[0] ?? ''}`
  return [`${subject}: `, ...causes.map((cause) => `* ${cause}`)].join('\n')
}

/**
 * The message for an error of the server, with the action: `error when creating "web.yaml": ...`.
 */
export function serverMessageWhen(doing: string, error: unknown): string | undefined {
  if (!isApiError(error)) return undefined
  const { status } = error
  if (status.reason === 'Invalid') return invalidMessage(status)
  const reason = status.reason === '' ? '' : ` (${status.reason})`
  return `Error from server${reason}: error when ${doing}: ${status.message}`
}
