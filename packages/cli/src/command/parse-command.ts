import { parseArgs } from 'node:util'
import type { CommandDeclaration, CommandInput, OptionDeclaration } from './command.ts'
import { exitCodes } from './command.ts'
import { CommandError } from './command-error.ts'
import { suggest } from './suggest.ts'

/** A parsed command line. */
type ParsedLine =
  | { readonly wants: 'version' }
  | { readonly wants: 'overview'; readonly isAsked: boolean }
  | { readonly wants: 'help'; readonly command: CommandDeclaration }
  | { readonly wants: 'run'; readonly command: CommandDeclaration; readonly input: CommandInput }

/** Finds the command of a command line and checks its arguments and options. */
export function parseCommand(
  commands: readonly CommandDeclaration[],
  words: readonly string[],
): ParsedLine {
  const [first, second] = words
  if (first === undefined) return { wants: 'overview', isAsked: false }
  if (first === '--version' || first === '-v') return { wants: 'version' }
  if (first === '--help' || first === '-h') return { wants: 'overview', isAsked: true }
  if (first === 'help') {
    return second === undefined
      ? { wants: 'overview', isAsked: true }
      : { wants: 'help', command: commandOf(commands, words.slice(1)) }
  }
  const command = commandOf(commands, words)
  const rest = words.slice(command.name.split(' ').length)
  if (command.isPassedThrough === true) {
    return { wants: 'run', command, input: inputOf(command, {}, rest) }
  }
  const { values, positionals } = parsed(command, rest)
  if (values['help'] === true) return { wants: 'help', command }
  return { wants: 'run', command, input: inputOf(command, values, positionals) }
}

function commandOf(
  commands: readonly CommandDeclaration[],
  words: readonly string[],
): CommandDeclaration {
  const found = commands.find(({ name }) =>
    name.split(' ').every((word, index) => words[index] === word),
  )
  if (found !== undefined) return found
  const given = words[0] ?? ''
  const longer = commands.filter(({ name }) => name.startsWith(`${given} `))
  const offered = commands.filter(({ isHidden }) => isHidden !== true)
  const meant = suggest(
    given,
    offered.map(({ name }) => name),
  )
  throw usage(
    `there is no command ${given}`,
    longer.length > 0
      ? `did you mean ${longer.map(({ name }) => `setpoint ${name}`).join(' or ')}?`
      : meant === undefined
        ? '`setpoint --help` lists the commands'
        : `did you mean setpoint ${meant}?`,
  )
}

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

function parsed(
  command: CommandDeclaration,
  words: readonly string[],
): { values: Values; positionals: readonly string[] } {
  const options = Object.fromEntries(
    command.options.map(({ name, short, value, isRepeated = false }) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(short === undefined ? {} : { short }),
        multiple: isRepeated,
      },
    ]),
  )
  try {
    return parseArgs({
      args: [...words],
      options: { ...options, help: { type: 'boolean' as const, short: 'h' } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw usageError(command, error)
  }
}

/** Replaces the errors of Node's parser by ones that name the command and a suggestion. */
function usageError(command: CommandDeclaration, error: unknown): unknown {
  const { code, message } = error as { readonly code?: string; readonly message: string }
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const given = /'(--?[^']+)'/.exec(message)?.[1] ?? ''
    const names = command.options.map(({ name }) => `--${name}`)
    const meant = suggest(given, names)
    return usage(
      `setpoint ${command.name} has no option ${given}`,
      meant === undefined
        ? `\`setpoint ${command.name} --help\` lists its options`
        : `did you mean ${meant}?`,
    )
  }
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return error
  const given = /--[\w-]+/.exec(message)?.[0] ?? ''
  const option = command.options.find(({ name }) => `--${name}` === given)
  if (option?.value !== undefined) return missingValue(command, option, /ambiguous/.test(message))
  return usage(`${given} takes no value`, `\`setpoint ${command.name} --help\` has examples`)
}

/**
 * The error for an option without a value, or with an empty one, which usually is an unset variable
 * of a script.
 */
function missingValue(
  command: CommandDeclaration,
  { name, value = '' }: OptionDeclaration,
  hasDash = false,
): CommandError {
  return usage(
    `--${name} needs a value: ${value}`,
    hasDash
      ? `write --${name}=VALUE for a value that begins with a dash`
      : `\`setpoint ${command.name} --help\` has examples`,
  )
}

function inputOf(
  command: CommandDeclaration,
  values: Values,
  positionals: readonly string[],
): CommandInput {
  if (command.isPassedThrough !== true) checkArguments(command, positionals)
  for (const option of command.options) {
    if ([values[option.name]].flat().includes('')) throw missingValue(command, option)
    checkChoice(option, values[option.name])
  }
  const listOf = (name: string): readonly string[] =>
    [values[name] ?? []].flat().filter((value) => typeof value === 'string')
  return {
    arguments: positionals,
    has: (name) => values[name] === true,
    value: (name) => listOf(name).at(-1),
    values: listOf,
  }
}

function checkArguments(command: CommandDeclaration, given: readonly string[]): void {
  const declared = command.arguments ?? []
  const empty = given.indexOf('')
  const missing =
    declared.filter(({ isOptional }) => isOptional !== true)[given.length] ??
    (empty < 0 ? undefined : (declared[empty] ?? declared.at(-1)))
  if (missing !== undefined) {
    throw usage(
      `setpoint ${command.name} needs ${missing.name}: ${missing.summary}`,
      `\`setpoint ${command.name} --help\` has examples`,
    )
  }
  if (given.length > declared.length && declared.at(-1)?.isRepeated !== true) {
    throw usage(
      `setpoint ${command.name} has too many arguments: ${given.slice(declared.length).join(' ')}`,
      `\`setpoint ${command.name} --help\` lists its arguments`,
    )
  }
  for (const [index, { name, choices }] of declared.entries()) {
    const value = given[index]
    if (choices === undefined || value === undefined || choices.includes(value)) continue
    throw usage(`${name} is ${value}`, `it must be one of ${choices.join(', ')}`)
  }
}

function checkChoice({ name, choices }: OptionDeclaration, value: Values[string]): void {
  if (choices === undefined || value === undefined) return
  const wrong = [value].flat().find((each) => !choices.includes(String(each)))
  if (wrong === undefined) return
  throw usage(`--${name} is ${String(wrong)}`, `it must be one of ${choices.join(', ')}`)
}

function usage(message: string, hint: string): CommandError {
  return new CommandError(message, { hint, exitCode: exitCodes.usage })
}
