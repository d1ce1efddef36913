/** `setpoint` as a process: its output streams and exit codes. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { installedPackages, linkPackages, setpointBin } from './installed-packages.ts'

const examples = fileURLToPath(new URL('../operators', import.meta.url))
const installed = await installedPackages()
const root = mkdtempSync(join(tmpdir(), 'setpoint-cli-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A project with one operator, and more code at the beginning of its module. */
function project(name: string, options: { manifest?: string; first?: string } = {}): string {
  const folder = join(root, name)
  mkdirSync(join(folder, 'src'), { recursive: true })
  linkPackages(folder, installed)
  writeFileSync(join(folder, 'package.json'), options.manifest ?? '{ "type": "module" }')
  for (const file of ['application.ts', 'operator.ts', 'problems-of.ts']) {
    cpSync(join(examples, '01-application', file), join(folder, 'src', file))
  }
  const text = `${options.first ?? ''}\nexport { default } from './operator.ts'\n`
  writeFileSync(join(folder, 'src/operators.ts'), text)
  return folder
}

function call(folder: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [setpointBin(installed), ...words],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  return { status, stdout, stderr }
}

test('setpoint dev stops gracefully when the reader of its output ends', async () => {
  const folder = project('piped')
  const words = [setpointBin(installed), 'dev', '--plain']
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await once(child, 'close')).toEqual([0, null])
  expect(output).toBe('')
})

test('output of a module while it is loaded is not part of the result', () => {
  const folder = project('talkative', { first: "console.log('hello')" })
  const { status, stdout, stderr } = call(folder, 'generate', '--json')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toBeTypeOf('object')
  expect(stderr).toContain('hello')
})

test('a command fails when a module ends the process', () => {
  const { status, stderr } = call(project('leaving', { first: 'process.exit(0)' }), 'generate')
  expect(status).toBe(1)
  expect(stderr).toContain('operators.ts ended the process while it was loaded')
})

test('reports a module with a top-level await that never resolves', () => {
  const folder = project('stuck', { first: 'await new Promise(() => undefined)' })
  const { status, stderr } = call(folder, 'generate')
  expect(status).toBe(1)
  expect(stderr).toContain('has a top-level await that never resolves')
})

test('supports projects without "type": "module"', () => {
  const words = ['build', '--json', '--no-typecheck']
  const { status, stdout, stderr } = call(project('older', { manifest: '{}' }), ...words)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ packages: 3 })
})

test('one Ctrl-C ends a command that has no graceful stop', async () => {
  const first = "console.log('waiting')\nawait new Promise((done) => setTimeout(done, 1e6))"
  const folder = project('waiting', { first })
  const words = [setpointBin(installed), 'generate']
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  await once(child.stderr, 'data')
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([130, null])
})
