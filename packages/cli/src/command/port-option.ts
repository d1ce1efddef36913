import { CommandError } from './command-error.ts'
import { type CommandInput, exitCodes } from './command.ts'

/** The value of an option that is a port. */
export function portOption(input: CommandInput, name: string): number | undefined {
  const text = input.value(name)
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new CommandError(`--${name} is ${text}, which is not a port`, { exitCode: exitCodes.usage })
}
