import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeHost } from 'setpoint/host'
import { afterAll, describe, expect, test } from 'vitest'
import { compileStrict } from '../../../../test/compile-strict.ts'
import { type CommandContext, parseCommand } from '../command/index.ts'
import { addResourceCommand, addWebhookCommand, newCommand } from '../commands/new-command.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { version } from '../version.ts'
import { addToOperators } from './add-to-operators.ts'
import { builtinSamples } from './builtin-samples.ts'
import { resourceNames } from './names.ts'
import { resourceFiles } from './resource-files.ts'

const root = mkdtempSync(join(tmpdir(), 'setpoint-new-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function call(folder: string, words: readonly string[], answers?: readonly string[]) {
  const terminal = new RecordingTerminal(answers === undefined ? {} : { answers })
  const parsed = parseCommand([newCommand, addResourceCommand, addWebhookCommand], words)
  if (parsed.wants !== 'run') throw new Error(parsed.wants)
  const context: CommandContext = {
    host: nodeHost(),
    terminal,
    folder,
    signal: new AbortController().signal,
  }
  const run = await parsed.command.load()
  return { code: await run(context, parsed.input), terminal }
}

const readIn = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')

test('creates the project with the given names, and prints the next steps', async () => {
  const { terminal, code } = await call(
    root,
    ['new', 'asked', '--no-install'],
    ['CronTab', 'stable.example.com'],
  )
  expect(code).toBe(0)
  expect(terminal.questions).toHaveLength(2)
  expect(readIn('asked/src/cron-tab.ts')).toContain("group: 'stable.example.com'")
  expect(readIn('asked/src/operators.ts')).toContain('export default [cronTab]')
  expect(readIn('asked/config/samples/crontab.yaml')).toContain(
    'apiVersion: stable.example.com/v1alpha1',
  )
  expect(JSON.parse(readIn('asked/package.json'))).toMatchObject({
    name: 'asked',
    private: true,
    type: 'module',
  })
  expect(terminal.text).toContain('cd asked\n  npm install\n  npm run dev')
  expect(readdirSync(join(root, 'asked')).sort()).toEqual([
    '.dockerignore',
    '.gitignore',
    'Dockerfile',
    'README.md',
    'config',
    'package.json',
    'src',
    'tsconfig.json',
  ])
})

test('asks no questions with --yes', async () => {
  const { terminal } = await call(root, ['new', 'quiet', '--yes', '--no-install'], [])
  expect(terminal.questions).toEqual([])
  expect(readIn('quiet/src/website.ts')).toContain("kind: 'Website'")
})

test('the image of a new project contains all files of the build', async () => {
  await call(root, ['new', 'packed', '--yes', '--no-install'])
  expect(readIn('packed/Dockerfile')).toContain('\nCOPY --from=build /build/dist/ /app/\n')
})

test('asks again after a wrong answer', async () => {
  const { terminal } = await call(
    root,
    ['new', '--no-install'],
    ['My Operator', 'again', 'website', 'Website', 'nodots', 'example.com'],
  )
  expect(terminal.questions).toHaveLength(6)
  expect(terminal.notes.join('\n')).toContain('website is not a valid kind; write it like CronTab')
  expect(readIn('again/src/website.ts')).toContain("group: 'example.com'")
})

test('copies the tarballs of --packages into the project, from a relative path', async () => {
  const tarballs = ['setpoint', 'setpoint-cluster', 'setpoint-sim', 'setpoint-cli'].map(
    (name) => `${name}-${version}.tgz`,
  )
  mkdirSync(join(root, 'tarballs'))
  for (const name of tarballs) writeFileSync(join(root, 'tarballs', name), name)
  await call(root, ['new', 'vendored', '--yes', '--no-install', '--packages', './tarballs'])
  for (const name of tarballs) expect(readIn('vendored/vendor', name)).toBe(name)
  expect(JSON.parse(readIn('vendored/package.json'))).toMatchObject({
    dependencies: { setpoint: `file:vendor/setpoint-${version}.tgz` },
  })
  await expect(
    call(root, ['new', 'missing', '--yes', '--no-install', '--packages', 'nowhere']),
  ).rejects.toThrow('there is no setpoint-')
})

test('refuses a folder that is not empty', async () => {
  await call(root, ['new', 'full', '--yes', '--no-install'])
  writeFileSync(join(root, 'full/package.json'), 'mine')
  await expect(call(root, ['new', 'full', '--yes'])).rejects.toThrow('is not empty')
  expect(readIn('full/package.json')).toBe('mine')
})

test('adds a resource to the list, in the API group of the project', async () => {
  await call(root, ['new', 'more', '--yes', '--no-install', '--group', 'shop.example.com'])
  await call(join(root, 'more/src'), ['add', 'resource', 'HTTPRoute'])
  expect(readIn('more/src/http-route.ts')).toContain("group: 'shop.example.com'")
  expect(readIn('more/src/operators.ts')).toContain('export default [website, httpRoute]')
  await expect(call(join(root, 'more'), ['add', 'resource', 'HTTPRoute'])).rejects.toThrow(
    'already exists',
  )
})

test('writes sources that compile strictly', () => {
  const sources = Object.entries({
    ...resourceFiles(resourceNames({ kind: 'Website', group: 'example.com', version: 'v1' })),
    ...resourceFiles(resourceNames({ kind: 'Operator', group: 'example.com', version: 'v1' })),
  }).filter(([path]) => path.endsWith('.ts'))
  expect(
    compileStrict(
      Object.fromEntries(sources.map(([path, text]) => [path.replace('src/', ''), text])),
    ),
  ).toEqual([])
})

describe('a webhook', () => {
  test('is added to a kind of the project and to a built-in kind, and compiles strictly', async () => {
    await call(root, ['new', 'hooks', '--yes', '--no-install'])
    const folder = join(root, 'hooks')
    const added = await call(folder, ['add', 'webhook', 'Website'])
    expect(added.terminal.lines).toEqual([
      'changed src/website.ts',
      'created src/website-webhook.test.ts',
    ])
    await call(folder, ['add', 'webhook', 'Pod', '--validate'])
    for (const kind of Object.keys(builtinSamples)) await call(folder, ['add', 'webhook', kind])
    expect(readIn('hooks/src/pod-webhook.ts')).not.toContain('.mutate(')
    expect(readIn('hooks/src/operators.ts')).toContain('podWebhook')
    const names = readdirSync(join(folder, 'src')).filter((name) => name.endsWith('.ts'))
    const sources = names.map((name) => [name, readIn('hooks/src', name)] as const)
    expect(compileStrict(Object.fromEntries(sources))).toEqual([])
  })

  test('that exists is not changed', async () => {
    await call(root, ['new', 'hooked', '--yes', '--no-install'])
    const folder = join(root, 'hooked')
    await call(folder, ['add', 'webhook', 'Website', '--mutate'])
    const second = await call(folder, ['add', 'webhook', 'Website', '--mutate'])
    expect(second.terminal.lines).toEqual([
      'src/website.ts already has .mutate',
      'nothing was changed',
    ])
    await call(folder, ['add', 'webhook', 'Secret'])
    const before = readIn('hooked/src/operators.ts')
    const third = await call(folder, ['add', 'webhook', 'Secret'])
    expect(third.terminal.lines).toEqual([
      'src/secret-webhook.ts already exists',
      'nothing was changed',
    ])
    expect(readIn('hooked/src/operators.ts')).toBe(before)
  })

  test('of a built-in kind without a prepared example writes no test', async () => {
    await call(root, ['new', 'netted', '--yes', '--no-install'])
    const { terminal } = await call(join(root, 'netted'), ['add', 'webhook', 'Ingress'])
    expect(terminal.lines).toEqual([
      'created src/ingress-webhook.ts',
      'no test was written, because no example of the kind is prepared',
      'changed src/operators.ts',
    ])
    expect(readIn('netted/src/ingress-webhook.ts')).toContain(
      "import { Ingress } from 'setpoint/kinds'",
    )
  })

  test('of an unknown kind is refused', async () => {
    await call(root, ['new', 'unhooked', '--yes', '--no-install'])
    await expect(call(join(root, 'unhooked'), ['add', 'webhook', 'Volume'])).rejects.toMatchObject({
      exitCode: 2,
      message: 'the project defines no Volume, and it is not a built-in kind',
    })
  })
})

describe('names', () => {
  test.each([
    ['Website', 'website', 'website'],
    ['CronTab', 'cronTab', 'cron-tab'],
    ['HTTPRoute', 'httpRoute', 'http-route'],
    ['SampleDB', 'sampleDb', 'sample-db'],
    ['Operator', 'operatorOperator', 'operator'],
  ])('%s has the variable %s and the file %s.ts', (kind, variable, file) => {
    expect(resourceNames({ kind, group: 'a.b', version: 'v1' })).toMatchObject({ variable, file })
  })

  test.each([
    [{ kind: 'website', group: 'a.b', version: 'v1' }, 'website is not a valid kind'],
    [{ kind: 'A', group: 'nodots', version: 'v1' }, 'nodots is not a valid API group'],
    [{ kind: 'A', group: 'a.b', version: '1' }, '1 is not a valid API version'],
  ])('refuses %o', (names, message) => {
    expect(() => resourceNames(names)).toThrow(message)
  })

  test.each([
    ['My Operator', 'is not a valid project name'],
    ['../..', 'is not a valid project name'],
    ['ünder', 'is not a valid project name'],
    ['', 'needs NAME'],
    ['setpoint', 'cannot have the name of its dependency'],
  ])('refuses the project name %j: %s', async (name, message) => {
    await expect(call(root, ['new', name, '--yes', '--no-install'])).rejects.toThrow(message)
  })

  test('creates a project in the current folder, with its name', async () => {
    const folder = join(root, 'cloned')
    mkdirSync(join(folder, '.git'), { recursive: true })
    const { terminal } = await call(folder, ['new', '.', '--yes', '--no-install'])
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('"name": "cloned"')
    expect(terminal.text).not.toContain('cd ')
  })
})

describe('the list of operators', () => {
  const names = resourceNames({ kind: 'CronTab', group: 'a.b', version: 'v1' })

  test('keeps its form when an operator is added', () => {
    expect(addToOperators("import a from './a.ts'\n\nexport default [a]\n", names)).toBe(
      "import a from './a.ts'\nimport cronTab from './cron-tab.ts'\n\nexport default [a, cronTab]\n",
    )
    expect(addToOperators('export default []\n', names)).toBe(
      "import cronTab from './cron-tab.ts'\n\nexport default [cronTab]\n",
    )
    expect(addToOperators("import a from './a.ts'\nexport default [\n  a,\n]\n", names)).toContain(
      'export default [\n  a,\n  cronTab,\n]',
    )
  })

  test('is not changed when it has another form', () => {
    expect(addToOperators('export default operators()\n', names)).toBeUndefined()
  })
})
