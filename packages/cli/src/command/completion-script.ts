import type { CommandDeclaration, OptionDeclaration } from './command.ts'

/** The shells that have completion. */
export const shells = ['bash', 'zsh', 'fish'] as const

/** A shell that has completion. */
export type Shell = (typeof shells)[number]

/** A script by which a shell completes commands, options and their values. */
export function completionOf(shell: Shell, all: readonly CommandDeclaration[]): string {
  const commands = all.filter(({ isHidden }) => isHidden !== true)
  switch (shell) {
    case 'bash':
      return bash(commands)
    case 'zsh':
      return zsh(commands)
    case 'fish':
      return fish(commands)
  }
}

/** The first words of all commands. */
function firstWords(commands: readonly CommandDeclaration[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
}

/** The second words of the commands that begin with `first`. */
function secondWords(commands: readonly CommandDeclaration[], first: string): string[] {
  return commands.flatMap(({ name }) =>
    name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [],
  )
}

/** The choices of a command's arguments. */
function argumentWords({ arguments: declared = [] }: CommandDeclaration): readonly string[] {
  return declared.flatMap(({ choices = [] }) => choices)
}

function bash(commands: readonly CommandDeclaration[]): string {
  const cases = firstWords(commands).map((first) => {
    const group = commands.filter(({ name }) => name.split(' ')[0] === first)
    const flags = group.flatMap(({ options }) => options.map(({ name }) => `--${name}`))
    const offered = [...secondWords(commands, first), ...group.flatMap(argumentWords)]
    const words = [...offered, ...new Set([...flags, '--help'])].join(' ')
    return `    ${first}) words="${words}" ;;`
  })
  const values = choicesIn(commands).map(
    ({ name, choices = [] }) =>
      `    --${name}) COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$current")); return ;;`,
  )
  // The value of these is usually a file, which the shell completes by itself.
  const open = [
    ...new Set(
      commands.flatMap(({ options }) =>
        options.flatMap(({ name, value, choices }) =>
          value === undefined || choices !== undefined ? [] : [`--${name}`],
        ),
      ),
    ),
  ]
  return `# completion for bash; put \`source <(setpoint completion bash)\` into ~/.bashrc
_setpoint() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  case "$previous" in
${values.join('\n')}
    ${open.join('|')}) return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${firstWords(commands).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _setpoint setpoint
`
}

function choicesIn(commands: readonly CommandDeclaration[]): OptionDeclaration[] {
  const all = commands.flatMap(({ options }) =>
    options.filter(({ choices }) => choices !== undefined),
  )
  return [...new Map(all.map((option) => [option.name, option])).values()]
}

const quoted = (text: string): string => text.replaceAll("'", "'\\''")

/** Escapes brackets and colons, which are syntax for _arguments. */
const zshText = (text: string): string => quoted(text).replaceAll(/[[\]:]/g, '\\$&')

function zsh(commands: readonly CommandDeclaration[]): string {
  const described = commands.map(
    ({ name, summary }) => `    '${name.split(' ')[0] ?? ''}:${quoted(summary)}'`,
  )
  const cases = firstWords(commands).map((first) => {
    const group = commands.filter(({ name }) => name.split(' ')[0] === first)
    const second = secondWords(commands, first)
    const options = group.flatMap((command) => command.options).map(zshOption)
    const words = [...second, ...group.flatMap(argumentWords)]
    const position = words.length > 0 ? `'2:what:(${words.join(' ')})'` : ''
    return `    ${first}) _arguments ${[position, ...options, `'*:file:_files'`].filter((part) => part !== '').join(' ')} ;;`
  })
  return `#compdef setpoint
# completion for zsh; put \`source <(setpoint completion zsh)\` into ~/.zshrc
_setpoint() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
}
compdef _setpoint setpoint
`
}

function zshOption({ name, value, choices, summary, isRepeated }: OptionDeclaration): string {
  const action = choices === undefined ? '_files' : `(${choices.join(' ')})`
  const argument = value === undefined ? '' : `:${zshText(value)}:${action}`
  return `${isRepeated === true ? "'*'" : ''}'--${name}[${zshText(summary)}]${argument}'`
}

function fish(commands: readonly CommandDeclaration[]): string {
  const lines = commands.flatMap((command) => {
    const { name, summary, options } = command
    const [first = '', second] = name.split(' ')
    const described = `-d '${quoted(summary)}'`
    const offered =
      second === undefined
        ? `complete -c setpoint -n __fish_use_subcommand -f -a ${first} ${described}`
        : `complete -c setpoint -n '__fish_seen_subcommand_from ${first}' -f -a ${second} ${described}`
    const outer =
      second === undefined ? [] : [`complete -c setpoint -n __fish_use_subcommand -f -a ${first}`]
    const words = argumentWords(command)
    const choices =
      words.length === 0
        ? []
        : [
            `complete -c setpoint -n '__fish_seen_subcommand_from ${first}' -f -a '${words.join(' ')}'`,
          ]
    return [...outer, offered, ...choices, ...options.map((option) => fishOption(first, option))]
  })
  return `# completion for fish; \`setpoint completion fish > ~/.config/fish/completions/setpoint.fish\`
${lines.join('\n')}
`
}

function fishOption(command: string, { name, value, choices, summary }: OptionDeclaration): string {
  const argument =
    value === undefined ? '' : choices === undefined ? ' -r' : ` -x -a '${choices.join(' ')}'`
  return `complete -c setpoint -n '__fish_seen_subcommand_from ${command}' -l ${name}${argument} -d '${quoted(summary)}'`
}
