import { messageOf, withoutValues, withSourceLine } from '../../errors/index.ts'
import { isTransient } from './reconcile-errors.ts'

/** The reason of conditions and Events about failed reconciles. */
export const failureReason = 'ReconcileFailed'

/** The message about a failed reconcile; `undefined` if nothing failed, or only transiently. */
export function failureText(error: unknown, handlersFailure?: string): string | undefined {
  const own = error === undefined || isTransient(error) ? [] : [failureMessage(error)]
  const texts = [...own, ...(handlersFailure === undefined ? [] : [handlersFailure])]
  return texts.length === 0 ? undefined : texts.join('; ')
}

/** The whole message of an error, with the line of a programming error. */
export function failureMessage(error: unknown): string {
  return withSourceLine(messageOf(error), error)
}

const charactersMax = 1000

/**
 * A text for users, without values. It is shortened in the middle, because an API error begins with
 * the object and ends with the reason.
 */
export function shortened(whole: string): string {
  const text = withoutValues(whole)
  if (text.length <= charactersMax) return text
  const half = charactersMax / 2 - 3
  return `${text.slice(0, half)} ... ${text.slice(-half)}`
}
