import type { StatedCondition } from './operator-types.ts'

/** The reason of a condition that is not True, unless given. */
const notYet = 'Progressing'

/**
 * Makes a condition: `when(Deployment.isRolledOut(web), 'RolledOut', Deployment.progress(web))`.
 * Its status is True, False or, for `undefined`, Unknown. `reason` is the reason for True; for the
 * others it is `Progressing`, or `otherwise`.
 */
export function when(
  holds: boolean | undefined,
  reason: string,
  text: string | { readonly message: string; readonly otherwise?: string },
): StatedCondition {
  const { message, otherwise = notYet } = typeof text === 'string' ? { message: text } : text
  if (holds === undefined) return { status: 'Unknown', reason: otherwise, message }
  return holds
    ? { status: 'True', reason, message }
    : { status: 'False', reason: otherwise, message }
}
