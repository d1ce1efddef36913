import { describe, expect, test } from 'vitest'
import type { CommandDeclaration } from './command.ts'
import { parseCommand } from './parse-command.ts'

const command = (
  declaration: Partial<CommandDeclaration> & { name: string },
): CommandDeclaration => ({
  summary: '',
  options: [],
  examples: [],
  load: async () => async () => undefined,
  ...declaration,
})

const commands = [
  command({
    name: 'dev',
    arguments: [{ name: 'FILE', summary: 'a module', isOptional: true }],
    options: [
      { name: 'port', short: 'p', value: 'PORT', summary: '' },
      { name: 'apply', short: 'f', value: 'FILE', isRepeated: true, summary: '' },
      { name: 'json', summary: '' },
      { name: 'level', value: 'LEVEL', choices: ['info', 'warn'], summary: '' },
    ],
  }),
  command({ name: 'add resource', arguments: [{ name: 'KIND', summary: 'the kind' }] }),
  command({ name: 'kubectl', isPassedThrough: true }),
  command({ name: 'completion', arguments: [{ name: 'SHELL', summary: '', choices: ['bash'] }] }),
  command({ name: 'secret', isHidden: true }),
]

function run(line: string) {
  const parsed = parseCommand(
    commands,
    line.split(' ').filter((word) => word !== ''),
  )
  if (parsed.wants !== 'run') throw new Error(`parsed as ${parsed.wants}`)
  return parsed
}

describe('a command line', () => {
  test('has arguments and options in any order', () => {
    const { command: found, input } = run('dev --port=80 a.ts -f x --json -f y')
    expect(found.name).toBe('dev')
    expect(input.arguments).toEqual(['a.ts'])
    expect(input.value('port')).toBe('80')
    expect(input.values('apply')).toEqual(['x', 'y'])
    expect(input.has('json')).toBe(true)
    expect(input.has('port')).toBe(false)
    expect(input.value('level')).toBeUndefined()
  })

  test('finds a command of two words', () => {
    expect(run('add resource CronTab').input.arguments).toEqual(['CronTab'])
  })

  test('is passed unparsed to a command with isPassedThrough', () => {
    expect(run('kubectl get pods -n x --help').input.arguments).toEqual([
      'get',
      'pods',
      '-n',
      'x',
      '--help',
    ])
  })

  test('prints help for --help, -h and help', () => {
    for (const line of ['--help', '-h', 'help']) {
      expect(parseCommand(commands, [line])).toEqual({ wants: 'overview', isAsked: true })
    }
    for (const words of [
      ['dev', '--help'],
      ['dev', '-h'],
      ['help', 'dev'],
    ]) {
      expect(parseCommand(commands, words)).toMatchObject({
        wants: 'help',
        command: { name: 'dev' },
      })
    }
    expect(parseCommand(commands, [])).toEqual({ wants: 'overview', isAsked: false })
    expect(parseCommand(commands, ['--version'])).toEqual({ wants: 'version' })
  })
})

describe('refuses a wrong command line with a suggestion', () => {
  test.each([
    ['dve', 'there is no command dve', 'did you mean setpoint dev?'],
    ['secrt', 'there is no command secrt', '`setpoint --help` lists the commands'],
    ['add', 'there is no command add', 'did you mean setpoint add resource?'],
    ['dev --prot 80', 'setpoint dev has no option --prot', 'did you mean --port?'],
    ['dev --port', '--port needs a value: PORT', '`setpoint dev --help` has examples'],
    [
      'dev --port -1',
      '--port needs a value: PORT',
      'write --port=VALUE for a value that begins with a dash',
    ],
    ['dev --port=', '--port needs a value: PORT', '`setpoint dev --help` has examples'],
    ['dev --json=yes', '--json takes no value', '`setpoint dev --help` has examples'],
    ['dev --level loud', '--level is loud', 'it must be one of info, warn'],
    [
      'dev a.ts b.ts',
      'setpoint dev has too many arguments: b.ts',
      '`setpoint dev --help` lists its arguments',
    ],
    [
      'add resource',
      'setpoint add resource needs KIND: the kind',
      '`setpoint add resource --help` has examples',
    ],
    ['completion csh', 'SHELL is csh', 'it must be one of bash'],
  ])('%s', (line, message, hint) => {
    expect(() => run(line)).toThrow(
      expect.objectContaining({ message, hint, exitCode: 2 }) as Error,
    )
  })
})
