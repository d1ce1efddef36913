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
  '**Which operators.** Commands that take `[FILE]` load the default export of that module: an operator, or a list of operators.',
  'Without it they use the first of `src/operators.ts`, `src/operator.ts`, `operators.ts` and `operator.ts` (also `.mts`, `.js`, `.mjs`)',
  'next to the nearest `package.json`. Loading the module only declares the operators.',
  '',
  '**Settings of a project** are in its `package.json`, under `"setpoint"`:',
  '',
  '| setting     | what it means                                                                           |',
  '| ----------- | --------------------------------------------------------------------------------------- |',
  '| `operators` | the module with the operators, relative to the folder of the project                    |',
  '| `image`     | the image of the Deployment; without a tag, the tag is the version of the project       |',
  '| `namespace` | the namespace of the deployment; default: the name of the project followed by `-system` |',
  '| `replicas`  | the number of pods; default: 1                                                          |',
  '| `watch`     | the namespaces to which the operators and their permissions are restricted              |',
  '| `env`       | environment variables of the operators: texts, or sources such as `secretKeyRef`        |',
  '| `resources` | requests and limits of the container, over the defaults; `null` removes a default       |',
  '| `pod`       | fields of the pod: `nodeSelector`, `tolerations`, `affinity`, `imagePullSecrets`, ...   |',
  '| `lease`     | the Lease, if your main file sets `election.name`: the role allows only this one        |',
  '',
  '**Which cluster.** `--kubeconfig` and `--context`, else `KUBECONFIG`, else the cluster of the pod, else the cluster of the',
  '`setpoint dev` that runs in this project, else `~/.kube/config`. Before a command writes to a cluster that is not on this machine, it asks; `--yes` skips the question.',
  '',
  '**Output.** Results go to the standard output, messages to the standard error. `--json` prints only the result, as',
  'JSON. Colours appear only on terminals; `NO_COLOR` turns them off, `FORCE_COLOR` on.',
  '',
  '| exit code | meaning                                                                                 |',
  '| --------- | --------------------------------------------------------------------------------------- |',
  '| 0         | success                                                                                 |',
  '| 1         | the command failed, or a check found problems                                           |',
  '| 2         | wrong arguments or options; nothing was done                                            |',
  '| 3         | a confirmation was denied, or not possible without a terminal; nothing was done         |',
  '| 130       | ended by Ctrl-C; `dev` and `run` stop gracefully at the first Ctrl-C, end at the second |',
  '',
  '`setpoint run` exits with 0 after a stop by a signal, and with 1 when it fails to start or to continue;',
  '`setpoint kubectl` exits with the code of kubectl.',
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
  // Even in code, a bar would end the cell.
  const rows = body.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
