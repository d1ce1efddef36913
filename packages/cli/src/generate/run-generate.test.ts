import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { CommandError, parseCommand } from '../command/index.ts'
import { generateCommand } from '../commands/generate-command.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'

const operators = fileURLToPath(
  new URL('../../../../operators/01-application/operator.ts', import.meta.url),
)

/** A temporary project with the operators of an example. */
async function project() {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-generate-'))
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await put('package.json', JSON.stringify({ name: 'shop', version: '1.0.0' }))
  const generate = async (...words: string[]) => {
    const terminal = new RecordingTerminal()
    const line = parseCommand(
      [generateCommand],
      ['generate', operators, '--no-typecheck', ...words],
    )
    if (line.wants !== 'run') throw new Error('not a command to run')
    const run = await generateCommand.load()
    const { signal } = new AbortController()
    const context = { host: nodeHost(), terminal, folder, signal }
    const { lines, notes } = terminal
    try {
      return { exitCode: (await run(context, line.input)) ?? 0, lines, notes, error: '' }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      return { exitCode: error.exitCode, lines, notes, error: error.message }
    }
  }
  return {
    folder,
    put,
    generate,
    read: (path: string) => readFile(join(folder, path), 'utf8'),
    modifiedMs: async (path: string) => (await stat(join(folder, path))).mtimeMs,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

test('writes only changed files', async () => {
  await using world = await project()
  const first = await world.generate()
  expect(first.exitCode).toBe(0)
  expect(first.lines).toHaveLength(17)
  expect(first.lines[0]).toBe('created  config/crd/applications.shclub.github.io.yaml')
  const crd = 'config/crd/applications.shclub.github.io.yaml'
  const writtenMs = await world.modifiedMs(crd)
  expect((await world.generate()).lines).toEqual(['17 files are up to date'])
  expect((await world.generate('--replicas', '3')).lines).toEqual([
    'changed  config/manager/deployment.yaml',
  ])
  expect(await world.read('config/manager/deployment.yaml')).toContain('\n  replicas: 3\n')
  expect(await world.modifiedMs(crd)).toBe(writtenMs)
})

test('--check writes nothing and fails with the outdated files', async () => {
  await using world = await project()
  expect(await world.generate('--check')).toMatchObject({ exitCode: 1 })
  await expect(world.read('config/kustomization.yaml')).rejects.toThrow('ENOENT')
  await world.generate()
  expect(await world.generate('--check')).toMatchObject({
    exitCode: 0,
    lines: ['17 files are up to date'],
  })
  const stale = await world.generate('--check', '--image', 'shop:2')
  expect(stale).toMatchObject({ exitCode: 1 })
  expect(stale.lines).toEqual([
    'outdated     config/kustomization.yaml',
    '  -     newTag: 1.0.0',
    '  +     newTag: "2"',
    'outdated     config/manager/deployment.yaml',
    '  -           image: shop:1.0.0',
    '  +           image: shop:2',
  ])
})

test('removes generated files that are not needed any more, and no others', async () => {
  await using world = await project()
  await world.generate()
  const header = (await world.read('config/kustomization.yaml')).split('\n')[0] ?? ''
  await world.put('config/crd/gone.example.com.yaml', `${header}\nkind: CustomResourceDefinition\n`)
  await world.put('config/crd/mine.yaml', 'kind: CustomResourceDefinition\n')
  expect((await world.generate('--check')).lines).toEqual([
    'superfluous  config/crd/gone.example.com.yaml',
  ])
  expect((await world.generate()).lines).toEqual(['removed  config/crd/gone.example.com.yaml'])
  expect(await world.read('config/crd/mine.yaml')).toContain('CustomResourceDefinition')
})

test('refuses to overwrite a file of the user, and writes nothing', async () => {
  await using world = await project()
  await world.put('config/manager/deployment.yaml', 'kind: Deployment\n')
  const refused = await world.generate()
  expect(refused).toMatchObject({ exitCode: 1 })
  expect(refused.error).toMatch(
    /manager\/deployment\.yaml was not generated and would be overwritten$/,
  )
  await expect(world.read('config/kustomization.yaml')).rejects.toThrow('ENOENT')
  expect((await world.generate('--output', 'dist/config')).lines[0]).toMatch(
    /^created {2}dist\/config\//,
  )
})

test('does not change existing samples, and reports their problems', async () => {
  await using world = await project()
  await world.generate()
  const sample = 'config/samples/application.yaml'
  expect(await world.read(sample)).toMatchInlineSnapshot(`
    "# A sample of Application. Edit it: \`setpoint generate\` does not change it.
    apiVersion: shclub.github.io/v1
    kind: Application
    metadata:
      name: application-sample
    spec:
      image: nginx
      port: 8080
    "
  `)
  const wrong = [
    'apiVersion: shclub.github.io/v1',
    'kind: Application',
    'metadata: { name: web }',
    'spec: { image: nginx, port: 70000, replica: 2 }',
  ].join('\n')
  await world.put(sample, wrong)
  await world.put(
    'config/samples/more.yaml',
    'apiVersion: v1\nkind: Secret\nmetadata: { name: x }\n',
  )
  await world.put('config/samples/old.yaml', 'apiVersion: shclub.github.io/v2\nkind: Application\n')
  const generated = await world.generate()
  expect(generated).toMatchObject({ exitCode: 0, lines: ['17 files are up to date'] })
  expect(generated.notes).toEqual([
    `warning: ${sample}: spec.replica: unknown field`,
    expect.stringMatching(/^warning: config\/samples\/application\.yaml: spec\.port: /),
    'warning: config/samples/old.yaml: apiVersion: Application has no version v2 (v1)',
  ])
  expect(await world.read(sample)).toBe(wrong)
  const checked = await world.generate('--check')
  expect(checked).toMatchObject({ exitCode: 1 })
  expect(checked.lines[0]).toBe(`wrong        ${sample}: spec.replica: unknown field`)
})

test('--json prints only JSON', async () => {
  await using world = await project()
  const { lines } = await world.generate('--json')
  const report = JSON.parse(lines.join('\n')) as { files: object[]; problems: object[] }
  expect(report.files).toHaveLength(17)
  expect(report.files[0]).toEqual({
    path: 'config/crd/applications.shclub.github.io.yaml',
    change: 'created',
  })
  expect(report.problems).toEqual([])
})
