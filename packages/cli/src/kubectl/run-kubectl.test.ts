import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCluster } from '@setpoint/cluster'
import { type Host, nodeHost } from 'setpoint/host'
import { afterAll, expect, test } from 'vitest'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { runKubectl } from './index.ts'

const root = mkdtempSync(join(tmpdir(), 'setpoint-run-kubectl-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The real host with other environment variables. */
function hostWith(env: Readonly<Record<string, string>>): Host {
  const host = nodeHost()
  return { ...host, env: (name) => env[name] }
}

async function run(folder: string, env: Readonly<Record<string, string>>, args: readonly string[]) {
  const terminal = new RecordingTerminal()
  const { signal } = new AbortController()
  const code = await runKubectl(
    { host: hostWith(env), terminal, folder, signal },
    { arguments: args, has: () => false, value: () => undefined, values: () => [] },
  )
  return { code, lines: terminal.lines, notes: terminal.notes }
}

/** A project in which `setpoint dev` runs, and a subfolder of it. */
function project(name: string, kubeconfig: string): { folder: string; kubeconfig: string } {
  const folder = join(root, name)
  mkdirSync(join(folder, 'deep/er'), { recursive: true })
  mkdirSync(join(folder, '.setpoint'))
  writeFileSync(join(folder, '.setpoint/kubeconfig'), kubeconfig, { mode: 0o600 })
  return { folder: join(folder, 'deep/er'), kubeconfig: join(folder, '.setpoint/kubeconfig') }
}

/** A program that records its arguments and environment. */
function fakeKubectl(): { path: string; called(): string } {
  const folder = mkdtempSync(join(root, 'bin-'))
  const recorded = join(folder, 'recorded')
  const script = `#!/bin/sh\necho "$KUBECONFIG|$SETPOINT_KUBECTL|$*" > '${recorded}'\nexit 7\n`
  writeFileSync(join(folder, 'kubectl'), script)
  chmodSync(join(folder, 'kubectl'), 0o755)
  return { path: folder, called: () => readFileSync(recorded, 'utf8').trim() }
}

test('runs an installed kubectl with all arguments on the cluster of setpoint dev', async () => {
  const { folder, kubeconfig } = project('installed', 'anything')
  const fake = fakeKubectl()
  const { code } = await run(folder, { PATH: `/nowhere:${fake.path}` }, ['get', 'pods', '-x'])
  expect(code).toBe(7)
  expect(fake.called()).toBe(`${kubeconfig}|small|get pods -x`)
})

test('prefers --kubeconfig and KUBECONFIG to the cluster of setpoint dev', async () => {
  const { folder } = project('named', 'anything')
  const fake = fakeKubectl()
  const env = { PATH: fake.path }
  const before = process.env['KUBECONFIG'] ?? ''
  await run(folder, env, ['--kubeconfig', 'mine', 'get', 'pods'])
  expect(fake.called()).toBe(`${before}|small|--kubeconfig mine get pods`)
  await run(folder, { ...env, KUBECONFIG: 'theirs' }, ['get', 'pods'])
  expect(fake.called()).toBe(`${before}|small|get pods`)
})

test('refuses to use the current context when setpoint dev does not run', async () => {
  const folder = mkdtempSync(join(root, 'idle-'))
  const fake = fakeKubectl()
  await expect(run(folder, { PATH: fake.path }, ['delete', 'pods', '--all'])).rejects.toThrow(
    'setpoint dev is not running in this project',
  )
  await run(folder, { PATH: fake.path }, ['--context', 'mine', 'get', 'pods'])
  expect(fake.called()).toContain('--context mine get pods')
})

test('runs the built-in kubectl when none is installed', async () => {
  await using cluster = await createCluster({ workloads: 'off' })
  const { folder } = project('missing', cluster.kubeconfig())
  const { code, lines, notes } = await run(folder, { PATH: root }, [
    'get',
    'ns',
    'default',
    '-o',
    'name',
  ])
  expect(code).toBe(0)
  expect(lines).toEqual(['namespace/default'])
  expect(notes).toEqual([])
})

test.each([[[]], [['--help']], [['help']]])(
  'the built-in kubectl lists what it knows for %j, without a cluster',
  async (args) => {
    const { code, lines } = await run(mkdtempSync(join(root, 'help-')), { PATH: root }, args)
    expect(code).toBe(0)
    for (const verb of ['  get ', '  rollout ', '  api-resources ']) {
      expect(lines.some((line) => line.startsWith(verb))).toBe(true)
    }
  },
)

test('the built-in kubectl lists the flags of a command', async () => {
  const folder = mkdtempSync(join(root, 'help-'))
  const { code, lines } = await run(folder, { PATH: root }, ['get', '--help'])
  expect(code).toBe(0)
  expect(lines).toContain('  -o, --output=VALUE')
})

test('runs the built-in kubectl for SETPOINT_KUBECTL=small', async () => {
  await using cluster = await createCluster({ workloads: 'off' })
  const { folder } = project('asked', cluster.kubeconfig())
  const env = { PATH: fakeKubectl().path, SETPOINT_KUBECTL: 'small' }
  const { code, notes } = await run(folder, env, ['get', 'nothing'])
  expect(code).toBe(1)
  expect(notes).toEqual([`error: the server doesn't have a resource type "nothing"`])
})
