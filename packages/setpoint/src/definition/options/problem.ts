import { SetpointError, type ErrorCode } from '../../errors/index.ts'

/** One problem of a definition: the path, the reason, and what to write instead. */
export interface Problem {
  readonly path: string
  readonly reason: string
  readonly instead?: string
}

/**
 * Throws all problems of a definition together, so that an author can fix all of them before the
 * next attempt.
 */
export function throwProblems(
  code: ErrorCode,
  subject: string,
  problems: readonly Problem[],
): void {
  if (problems.length === 0) return
  const lines = problems.map(
    ({ path, reason, instead }) =>
      `\n  ${path}: ${reason}${instead === undefined ? '' : `; instead, ${instead}`}`,
  )
  throw new SetpointError(code, `${subject}:${lines.join('')}`)
}
