import type { CommandDeclaration, OptionDeclaration } from '../packages/cli/src/command/index.ts'

/** docs/reference/cli.md, from the declarations of the commands. */
export function cliReference(all: readonly CommandDeclaration[]): string {
  const commands = all.filter(({ isHidden }) => isHidden !== true)
  return `${[
    '<!-- Made by `npm run generate:docs` from packages/cli/src/commands; changes are overwritten. -->',
    '',
    '# The command line',
    '',
    '`setpoint` is the command of `@setpoint/cli`: `npm install --save-dev @setpoint/cli`, then `npx setpoint`. `npm create',
    'setpoint` is `setpoint new` without an installation.',
    '',
    table(
      ['command', 'what it does'],
      commands.map(({ name, summary }) => [
        `[\`${name}\`](#setpoint-${name.replaceAll(' ', '-')})`,
        summary,
      ]),
    ),
    '',
    ...common,
    ...commands.flatMap(commandLines),
  ]
    .join('\n')
    .trimEnd()}\n`
}

const common = [
  '## Common to all',
  '',
  '**Which operators.** Commands that take `[FILE]` load the default export of that module: an operator, or a list of them.',
  'Without it they look for `src/operators.ts`, `src/operator.ts`, `operators.ts` and `operator.ts` (also `.mts`, `.js`, `.mjs`)',
  'beside the nearest `package.json`. Loading a module of operators does nothing but declare them.',
  '',
  '**Settings of a project** are in its `package.json`, under `"setpoint"`:',
  '',
  '| setting     | what it means                                                                         |',
  '| ----------- | ------------------------------------------------------------------------------------- |',
  '| `operators` | the module with the operators, from the folder of the project                         |',
  '| `image`     | the image of the Deployment; without a tag, the version of the project is the tag     |',
  '| `namespace` | where the operators are deployed; the name of the project and `-system` unless given  |',
  '| `replicas`  | how many pods; 1 unless given                                                         |',
  '| `watch`     | the namespaces that the operators are restricted to; they then need rights only there |',
  '',
  '**Which cluster.** The one kubectl would take: `--kubeconfig`, else `KUBECONFIG`, else the cluster around a pod, else',
  '`~/.kube/config`. Before a command writes to a cluster that is not on this machine it asks; `--yes` answers beforehand.',
  '',
  '**Output.** Results go to the standard output, remarks to the standard error. `--json` prints results for scripts and nothing',
  'else. Colours appear on terminals only; `NO_COLOR` turns them off, `FORCE_COLOR` on.',
  '',
  '| exit code | meaning                                                                              |',
  '| --------- | ------------------------------------------------------------------------------------ |',
  '| 0         | done                                                                                 |',
  '| 1         | it could not be done, or what was checked is not as it should be                     |',
  '| 2         | the line makes no sense; nothing was done                                            |',
  '| 3         | a question was answered with no, or nobody was there to answer; nothing was done     |',
  '| 130       | ended by Ctrl-C; `dev` and `run` end in order at the first one, and so at the second |',
  '',
  '`setpoint run` ends with 0 when it was asked to stop and with 1 when it could not start or go on; `setpoint kubectl` ends as',
  'kubectl does.',
  '',
]

function commandLines(command: CommandDeclaration): string[] {
  const { name, summary, details, options, examples } = command
  const given = (command.arguments ?? []).map(({ name: each, isOptional, isRepeated }) => {
    const shown = isRepeated === true ? `${each}...` : each
    return isOptional === true ? `[${shown}]` : shown
  })
  return [
    `## setpoint ${name}`,
    '',
    `${sentence(summary)}${details === undefined ? '' : ` ${details.replaceAll('\n', ' ')}`}`,
    '',
    '```sh',
    ['setpoint', name, ...given, ...(options.length > 0 ? ['[OPTIONS]'] : [])].join(' '),
    '```',
    '',
    ...rows(
      'argument',
      (command.arguments ?? []).map((each) => [`\`${each.name}\``, each.summary]),
    ),
    ...rows(
      'option',
      options.map((option) => [optionText(option), optionSummary(option)]),
    ),
    '```sh',
    ...examples.flatMap((example) => [`# ${example.what}`, example.command]),
    '```',
    '',
  ]
}

function rows(title: string, lines: readonly (readonly [string, string])[]): string[] {
  return lines.length === 0 ? [] : [table([title, 'what it means'], lines), '']
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function optionText({ name, short, value }: OptionDeclaration): string {
  const long = `--${name}${value === undefined ? '' : ` ${value}`}`
  return short === undefined ? `\`${long}\`` : `\`-${short}\`, \`${long}\``
}

function optionSummary({ summary, choices, isRepeated }: OptionDeclaration): string {
  const notes = [
    ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
    ...(isRepeated === true ? ['may be repeated'] : []),
  ]
  return notes.length === 0 ? summary : `${summary} (${notes.join('; ')})`
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const all = [head, ...body]
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
