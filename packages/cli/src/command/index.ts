/**
 * command/: what a command of the command line is.
 *
 * A command is a declaration (`CommandDeclaration`): its words, options, examples, and how to load the code that does
 * it. The parser, the help and the completion are made from the declarations, so that they cannot disagree.
 * `commands/` has the declarations, the feature folders the code.
 *
 * It promises that a wrong line does nothing and is answered with what was meant, and that every way to
 * end has a documented exit code.
 */
export {
  exitCodes,
  type CommandContext,
  type CommandDeclaration,
  type CommandInput,
  type ExitCode,
  type OptionDeclaration,
  type RunCommand,
} from './command.ts'
export { CommandError } from './command-error.ts'
export { completionOf, type Shell, shells } from './completion-script.ts'
export { helpOf, overviewOf } from './help.ts'
export { parseCommand } from './parse-command.ts'
export type { Style, Terminal } from './terminal.ts'
