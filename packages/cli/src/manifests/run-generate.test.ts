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

/** A project whose operators are those of an example, in a folder of its own. */
async function project() {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-generate-'))
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await put('package.json', JSON.stringify({ name: 'shop', version: '1.0.0' }))
  const generate = async (...words: string[]) => {
    const terminal = new RecordingTerminal()
    const line = parseCommand([generateCommand], ['generate', operators, ...words])
    if (line.wants !== 'run') throw new Error('this is no call')
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

test('files are written once, and again only when they change', async () => {
  await using it = await project()
  const first = await it.generate()
  expect(first.exitCode).toBe(0)
  expect(first.lines).toHaveLength(12)
  expect(first.lines[0]).toBe('created  config/crd/applications.shclub.github.io.yaml')
  const crd = 'config/crd/applications.shclub.github.io.yaml'
  const writtenMs = await it.modifiedMs(crd)
  expect((await it.generate()).lines).toEqual(['12 files are up to date'])
  expect((await it.generate('--replicas', '3')).lines).toEqual([
    'changed  config/manager/deployment.yaml',
  ])
  expect(await it.read('config/manager/deployment.yaml')).toContain('\n  replicas: 3\n')
  expect(await it.modifiedMs(crd)).toBe(writtenMs)
})

test('a check writes nothing and fails with what is not up to date', async () => {
  await using it = await project()
  expect(await it.generate('--check')).toMatchObject({ exitCode: 1 })
  await expect(it.read('config/kustomization.yaml')).rejects.toThrow('ENOENT')
  await it.generate()
  expect(await it.generate('--check')).toMatchObject({
    exitCode: 0,
    lines: ['12 files are up to date'],
  })
  const stale = await it.generate('--check', '--image', 'shop:2')
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

test('generated files that nothing needs any more are removed, others are not touched', async () => {
  await using it = await project()
  await it.generate()
  const header = (await it.read('config/kustomization.yaml')).split('\n')[0] ?? ''
  await it.put('config/crd/gone.example.com.yaml', `${header}\nkind: CustomResourceDefinition\n`)
  await it.put('config/crd/mine.yaml', 'kind: CustomResourceDefinition\n')
  expect((await it.generate('--check')).lines).toEqual([
    'superfluous  config/crd/gone.example.com.yaml',
  ])
  expect((await it.generate()).lines).toEqual(['removed  config/crd/gone.example.com.yaml'])
  expect(await it.read('config/crd/mine.yaml')).toContain('CustomResourceDefinition')
})

test("somebody's own file is not overwritten, and nothing else is written", async () => {
  await using it = await project()
  await it.put('config/manager/deployment.yaml', 'kind: Deployment\n')
  const refused = await it.generate()
  expect(refused).toMatchObject({ exitCode: 1 })
  expect(refused.error).toMatch(
    /manager\/deployment\.yaml is not generated, and would be overwritten$/,
  )
  await expect(it.read('config/kustomization.yaml')).rejects.toThrow('ENOENT')
  expect((await it.generate('--output', 'dist/config')).lines[0]).toMatch(
    /^created {2}dist\/config\//,
  )
})

test('samples belong to their author, who is told what is wrong with them', async () => {
  await using it = await project()
  await it.generate()
  const sample = 'config/samples/application.yaml'
  expect(await it.read(sample)).toMatchInlineSnapshot(`
    "# An Application to begin with. It is yours: \`setpoint generate\` does not change it.
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
  await it.put(sample, wrong)
  await it.put('config/samples/more.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: { name: x }\n')
  await it.put('config/samples/old.yaml', 'apiVersion: shclub.github.io/v2\nkind: Application\n')
  const told = await it.generate()
  expect(told).toMatchObject({ exitCode: 0, lines: ['12 files are up to date'] })
  expect(told.notes).toEqual([
    `warning: ${sample}: spec.replica: there is no such field`,
    expect.stringMatching(/^warning: config\/samples\/application\.yaml: spec\.port: /),
    'warning: config/samples/old.yaml: apiVersion: Application has no version v2 (v1)',
  ])
  expect(await it.read(sample)).toBe(wrong)
  const checked = await it.generate('--check')
  expect(checked).toMatchObject({ exitCode: 1 })
  expect(checked.lines[0]).toBe(`wrong        ${sample}: spec.replica: there is no such field`)
})

test('the result for scripts is JSON and nothing else', async () => {
  await using it = await project()
  const { lines } = await it.generate('--json')
  const report = JSON.parse(lines.join('\n')) as { files: object[]; problems: object[] }
  expect(report.files).toHaveLength(12)
  expect(report.files[0]).toEqual({
    path: 'config/crd/applications.shclub.github.io.yaml',
    change: 'created',
  })
  expect(report.problems).toEqual([])
})
