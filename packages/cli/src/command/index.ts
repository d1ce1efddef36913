/**
 * command/: declarations of commands, and their parser, help and completion.
 *
 * A command is a `CommandDeclaration`: its name, options, examples, and how to load its code. The
 * parser, the help and the completion use the same declarations, so they cannot disagree.
 * `commands/` has the declarations, the feature folders have the code.
 *
 * It guarantees that a wrong command line does nothing and gets a suggestion, and that every exit
 * code is documented.
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
export { counted } from './counted.ts'
export { helpOf, overviewOf } from './help.ts'
export { parseCommand } from './parse-command.ts'
export { portOption } from './port-option.ts'
export type { Style, Terminal } from './terminal.ts'
export { wrapParagraphs, wrapTable } from './wrap.ts'
