import type { StatedCondition } from './operator-types.ts'

/** A condition's reason when it does not hold and nobody named another one. */
const notYet = 'Progressing'

/**
 * A condition: `when(Deployment.isRolledOut(it), 'RolledOut', Deployment.progress(it))`. The reason is for the case that
 * it holds; otherwise it is `Progressing`, or what `otherwise` says.
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
