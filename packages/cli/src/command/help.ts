import type { Terminal } from './terminal.ts'
import type { CommandDeclaration, OptionDeclaration } from './command.ts'
import { wrapParagraphs, wrapTable } from './wrap.ts'

/** Where help is shown. */
type HelpScreen = Pick<Terminal, 'style' | 'columns'>

/** The text of `setpoint --help`: every command on a line. */
export function overviewOf(commands: readonly CommandDeclaration[], screen: HelpScreen): string {
  const { style, columns } = screen
  const rows = commands.flatMap(({ name, summary, isHidden }) =>
    isHidden === true ? [] : [[name, summary] as const],
  )
  return [
    'The toolchain for Kubernetes operators in TypeScript.',
    '',
    style.bold('Usage:'),
    '  setpoint COMMAND [ARGUMENTS] [OPTIONS]',
    '',
    style.bold('Commands:'),
    ...wrapTable(rows, columns),
    '',
    ...wrapParagraphs(
      '`setpoint COMMAND --help` prints options and examples, `setpoint --version` the version.',
      columns,
    ),
  ].join('\n')
}

/** The text of `setpoint COMMAND --help`: usage, details, options and examples. */
export function helpOf(command: CommandDeclaration, { style, columns }: HelpScreen): string {
  const { name, summary, details, options, examples } = command
  const given = (command.arguments ?? []).map((argument) => {
    const shown = argument.isRepeated === true ? `${argument.name}...` : argument.name
    return argument.isOptional === true ? `[${shown}]` : shown
  })
  const offered = command.isPassedThrough === true ? [] : ['[OPTIONS]']
  return [
    ...wrapParagraphs(summary, columns),
    ...(details === undefined ? [] : ['', ...wrapParagraphs(details, columns)]),
    '',
    style.bold('Usage:'),
    `  ${['setpoint', name, ...given, ...offered].join(' ')}`,
    ...section(
      'Arguments:',
      (command.arguments ?? []).map((each) => [each.name, each.summary]),
    ),
    ...section('Options:', [
      ...options.map((option) => [optionText(option), optionSummary(option)] as const),
      ...(command.isPassedThrough === true ? [] : [['-h, --help', 'print this help'] as const]),
    ]),
    '',
    style.bold('Examples:'),
    ...examples.flatMap((example) => [
      `  ${style.dim(`# ${example.what}`)}`,
      `  ${example.command}`,
    ]),
  ].join('\n')

  function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
    return rows.length === 0 ? [] : ['', style.bold(title), ...wrapTable(rows, columns)]
  }
}

function optionText({ name, short, value }: OptionDeclaration): string {
  const letter = short === undefined ? '    ' : `-${short}, `
  return `${letter}--${name}${value === undefined ? '' : ` ${value}`}`
}

function optionSummary({ summary, choices, isRepeated }: OptionDeclaration): string {
  const notes = [
    ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
    ...(isRepeated === true ? ['may be repeated'] : []),
  ]
  return notes.length === 0 ? summary : `${summary} (${notes.join('; ')})`
}
