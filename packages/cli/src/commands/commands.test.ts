import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { cliReference } from '../../../../scripts/cli-reference.ts'
import { completionOf, helpOf, overviewOf, shells } from '../command/index.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { commands } from './index.ts'

const screen = { style: new RecordingTerminal().style, columns: 100 }
const shown = commands.filter(({ isHidden }) => isHidden !== true)

test('docs/reference/cli.md is up to date; `npm run generate:docs` writes it', async () => {
  const path = new URL('../../../../docs/reference/cli.md', import.meta.url)
  expect(await readFile(path, 'utf8')).toBe(cliReference(commands))
})

test('the overview has one line of at most 100 columns for each command', () => {
  const lines = overviewOf(commands, screen).split('\n')
  for (const { name } of shown) {
    const line = lines.find((each) => each.startsWith(`  ${name} `)) ?? ''
    expect(line.length).toBeGreaterThan(name.length + 5)
    expect(line.length).toBeLessThanOrEqual(100)
  }
  expect(lines.join('\n')).not.toContain('work-for-dev')
})

describe.each(shown.map((command) => [command.name, command] as const))(
  'setpoint %s',
  (_, command) => {
    test('has help with examples that begin with the command', () => {
      const help = helpOf(command, screen)
      expect(help).toContain(`setpoint ${command.name}`)
      expect(command.examples.length).toBeGreaterThan(0)
      for (const example of command.examples) expect(example.command).toMatch(/setpoint |node dist/)
      for (const { name } of command.options) expect(help).toContain(`--${name}`)
    })

    test.each([60, 80, 200])('has help that fits into %d columns', (columns) => {
      const lines = helpOf(command, { ...screen, columns }).split('\n')
      // Examples stay on one line, so that they can be copied.
      const prose = lines.slice(0, lines.indexOf('Examples:'))
      for (const line of prose) expect(line.length).toBeLessThanOrEqual(columns)
    })

    test('declares each option once, and loads its code', async () => {
      const names = command.options.flatMap(({ name, short }) => [
        name,
        ...(short === undefined ? [] : [short]),
      ])
      expect(new Set(names).size).toBe(names.length)
      expect(await command.load()).toBeTypeOf('function')
    })
  },
)

describe.each(shells)('the completion for %s', (shell) => {
  const script = completionOf(shell, commands)

  test('has all commands and options, except the hidden ones', () => {
    for (const { name, options } of shown) {
      for (const word of name.split(' ')) expect(script).toContain(word)
      for (const option of options) expect(script).toContain(option.name)
    }
    expect(script).not.toContain('work-for-dev')
  })

  test('is a script that the shell can parse, where the shell is installed', (ctx) => {
    let path = ''
    try {
      path = execFileSync('sh', ['-c', `command -v ${shell}`], { encoding: 'utf8' }).trim()
    } catch {
      ctx.skip(`${shell} is not installed`)
    }
    // Only parses the script: completing in fish and zsh needs an interactive session.
    const check = shell === 'fish' ? ['--no-execute', '-c', script] : ['-n', '-c', script]
    execFileSync(path, check, { stdio: ['ignore', 'pipe', 'pipe'] })
  })
})

test('bash completes commands, their second words, options and values', () => {
  const complete = (line: string): string[] => {
    const program = `${completionOf('bash', commands)}
COMP_WORDS=(${line.endsWith(' ') ? `${line}""` : line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _setpoint
echo "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split(' ')
  }
  expect(complete('setpoint de')).toEqual(['dev', 'deploy'])
  expect(complete('setpoint add ')).toContain('resource')
  expect(complete('setpoint dev --sam')).toEqual(['--samples'])
  expect(complete('setpoint run --log-level w')).toEqual(['warn'])
  expect(complete('setpoint completion f')).toEqual(['fish'])
  // Without candidates the shell completes files.
  expect(complete('setpoint dev --kubeconfig ')).toEqual([''])
})

test('zsh completes the first words of commands, with their summaries', () => {
  expect(completionOf('zsh', commands)).toContain("    'add:add a resource")
})
