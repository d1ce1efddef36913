import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { createCluster } from '@setpoint/cluster'
import { nodeHost } from 'setpoint/host'
import { afterAll, expect, test } from 'vitest'
import { parseCommand } from '../command/index.ts'
import { buildCommand } from '../commands/build-command.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { runBuild } from './run-build.ts'

const root = mkdtempSync(join(tmpdir(), 'setpoint-build-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const example = (name: string): string =>
  fileURLToPath(new URL(`../../../../operators/${name}`, import.meta.url))

async function runBuildOf(
  name: string,
  output: string,
): Promise<{ code: unknown; terminal: RecordingTerminal }> {
  const terminal = new RecordingTerminal()
  const parsed = parseCommand(
    [buildCommand],
    ['build', 'operator.ts', '--output', output, '--json'],
  )
  if (parsed.wants !== 'run') throw new Error(parsed.wants)
  const context = {
    host: nodeHost(),
    terminal,
    folder: example(name),
    signal: new AbortController().signal,
  }
  return { code: await runBuild(context, parsed.input), terminal }
}

test('builds reproducibly: a bundle, its source map, templates, a Dockerfile and an SBOM', async () => {
  const [first, second] = [join(root, 'first'), join(root, 'second')]
  await runBuildOf('06-ephemeral-volume-claim', first)
  const { terminal, code } = await runBuildOf('06-ephemeral-volume-claim', second)
  expect(code).toBe(0)
  const names = ['Dockerfile', 'operator.mjs', 'operator.mjs.map', 'pvc.yaml', 'sbom.cdx.json']
  expect(readdirSync(first).sort()).toEqual(names)
  for (const name of names) {
    expect(readFileSync(join(first, name), 'utf8')).toBe(readFileSync(join(second, name), 'utf8'))
  }
  const { files } = JSON.parse(terminal.text) as { files: { file: string; bytes: number }[] }
  expect(files.map(({ file }) => file).sort()).toEqual(names.map((name) => join(second, name)))
  expect(readFileSync(join(first, 'Dockerfile'), 'utf8')).toContain(
    'COPY operator.mjs operator.mjs.map pvc.yaml /app/',
  )
  expect(readFileSync(join(first, 'Dockerfile'), 'utf8')).toContain('USER 65532:65532')
})

test('refuses to overwrite a Dockerfile of the author, and writes nothing', async () => {
  const output = join(root, 'own')
  mkdirSync(output)
  writeFileSync(join(output, 'Dockerfile'), 'FROM mine\n')
  await expect(runBuildOf('01-application', output)).rejects.toThrow(
    'was not written by setpoint build',
  )
  expect(readdirSync(output)).toEqual(['Dockerfile'])
})

test('lists the bundled packages in the SBOM, with versions and licences', async () => {
  await runBuildOf('01-application', join(root, 'sbom'))
  const sbom = JSON.parse(readFileSync(join(root, 'sbom/sbom.cdx.json'), 'utf8')) as {
    bomFormat: string
    specVersion: string
    serialNumber: string
    components: { name: string; purl: string; licenses: unknown[] }[]
    dependencies: { ref: string; dependsOn: string[] }[]
  }
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  expect(sbom.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  const names = sbom.components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['setpoint', 'zod']))
  expect(names).not.toContain('yaml')
  for (const { purl, licenses } of sbom.components) {
    expect(purl).toMatch(/^pkg:npm\/[^@]+@\d/)
    expect(licenses).toHaveLength(1)
  }
  const refs = new Set(sbom.dependencies.map(({ ref }) => ref))
  for (const { dependsOn } of sbom.dependencies)
    for (const ref of dependsOn) expect(refs).toContain(ref)
})

test('runs the bundle without node_modules, and finds its template', async () => {
  const output = join(root, 'alone')
  await runBuildOf('06-ephemeral-volume-claim', output)
  const host = nodeHost()
  await using cluster = await createCluster({ host, workloads: 'off' })
  const kubeconfig = join(output, 'kubeconfig')
  await host.writeFile(kubeconfig, cluster.kubeconfig())
  // The folder has no node_modules, so the bundle must be complete.
  const child = spawn(process.execPath, ['--enable-source-maps', 'operator.mjs'], {
    cwd: output,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], KUBECONFIG: kubeconfig, PROBES_PORT: '0' },
  })
  try {
    const lines = createInterface({ input: child.stdout })
    for await (const line of lines) if (line.includes('is not installed')) break
  } finally {
    child.kill('SIGKILL')
  }
})
