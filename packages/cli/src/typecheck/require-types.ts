import { type CommandContext, CommandError } from '../command/index.ts'
import type { Project } from '../project/index.ts'
import { startTypeCheck } from './type-check.ts'
import type { CompilerError } from './compiler-errors.ts'

/** How many errors an error message has. */
const shownMax = 20

/**
 * Starts the type check of a command. The returned function waits for it and throws if there are
 * errors, so that the command can load the operators meanwhile. It resolves with a line for the
 * user if the types cannot be checked.
 */
export function requireTypes(
  { host }: CommandContext,
  { project, file }: { readonly project: Project; readonly file: string },
): () => Promise<string | undefined> {
  // JavaScript has no types to check.
  if (!/\.[cm]?tsx?$/.test(file)) return async () => undefined
  const check = startTypeCheck(host, project)
  // The command may fail before it waits for the check; its own error is the one to show then.
  check.result.catch(() => undefined)
  return async () => {
    const result = await check.result
    if (result.is === 'skipped') return `types are not checked: ${result.why}`
    if (result.is !== 'checked' || result.errors.length === 0) return undefined
    throw new CommandError(errorsText(result.errors), {
      hint: 'nothing was written; fix the errors, or skip the check with --no-typecheck',
    })
  }
}

function errorsText(errors: readonly CompilerError[]): string {
  const shown = errors
    .slice(0, shownMax)
    .map(({ message, at }) => (at === undefined ? message : `${at}: ${message}`))
  const more = errors.length > shownMax ? [`and ${errors.length - shownMax} more`] : []
  const count =
    errors.length === 1 ? 'there is a type error' : `there are ${errors.length} type errors`
  return [`${count}:`, ...shown, ...more].join('\n')
}
