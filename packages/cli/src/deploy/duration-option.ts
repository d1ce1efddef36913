import {
  CommandError,
  type CommandInput,
  exitCodes,
  type OptionDeclaration,
} from '../command/index.ts'

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** The longest time that a command waits. */
export const timeoutOption: OptionDeclaration = {
  name: 'timeout',
  value: 'TIME',
  summary: 'the longest time to wait, for example 30s or 5m; default: 2m',
}

/** The value of `--timeout`. */
export function timeoutMs(input: CommandInput): number {
  const text = input.value('timeout') ?? '2m'
  const [, amount, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  const factor = unit === undefined ? undefined : unitMs[unit]
  if (amount !== undefined && factor !== undefined) return Number(amount) * factor
  throw new CommandError(`--timeout is ${JSON.stringify(text)}, which is not a duration`, {
    hint: 'write a number and a unit: 90s, 5m, 1h',
    exitCode: exitCodes.usage,
  })
}
