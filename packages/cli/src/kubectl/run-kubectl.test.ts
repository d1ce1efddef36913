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

/** The real host with other variables. */
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

/** A project where `setpoint dev` runs, and a folder in it. */
function project(name: string, kubeconfig: string): { folder: string; kubeconfig: string } {
  const folder = join(root, name)
  mkdirSync(join(folder, 'deep/er'), { recursive: true })
  mkdirSync(join(folder, '.setpoint'))
  writeFileSync(join(folder, '.setpoint/kubeconfig'), kubeconfig, { mode: 0o600 })
  return { folder: join(folder, 'deep/er'), kubeconfig: join(folder, '.setpoint/kubeconfig') }
}

/** A program that notes how it was called. */
function fakeKubectl(): { path: string; called(): string } {
  const folder = mkdtempSync(join(root, 'bin-'))
  const noted = join(folder, 'noted')
  const script = `#!/bin/sh\necho "$KUBECONFIG|$SETPOINT_KUBECTL|$*" > '${noted}'\nexit 7\n`
  writeFileSync(join(folder, 'kubectl'), script)
  chmodSync(join(folder, 'kubectl'), 0o755)
  return { path: folder, called: () => readFileSync(noted, 'utf8').trim() }
}

test('an installed kubectl gets every word, the cluster of setpoint dev, and ends for us', async () => {
  const { folder, kubeconfig } = project('installed', 'anything')
  const fake = fakeKubectl()
  const { code } = await run(folder, { PATH: `/nowhere:${fake.path}` }, ['get', 'pods', '-x'])
  expect(code).toBe(7)
  expect(fake.called()).toBe(`${kubeconfig}|small|get pods -x`)
})

test('a kubeconfig that is named wins over the one of setpoint dev', async () => {
  const { folder } = project('named', 'anything')
  const fake = fakeKubectl()
  const env = { PATH: fake.path }
  const before = process.env['KUBECONFIG'] ?? ''
  await run(folder, env, ['--kubeconfig', 'mine', 'get', 'pods'])
  expect(fake.called()).toBe(`${before}|small|--kubeconfig mine get pods`)
  await run(folder, { ...env, KUBECONFIG: 'theirs' }, ['get', 'pods'])
  expect(fake.called()).toBe(`${before}|small|get pods`)
})

test('a line that names no cluster is refused while setpoint dev does not run: it may be meant for nobody', async () => {
  const folder = mkdtempSync(join(root, 'idle-'))
  const fake = fakeKubectl()
  await expect(run(folder, { PATH: fake.path }, ['delete', 'pods', '--all'])).rejects.toThrow(
    'setpoint dev does not run in this project',
  )
  await run(folder, { PATH: fake.path }, ['--context', 'mine', 'get', 'pods'])
  expect(fake.called()).toContain('--context mine get pods')
})

test('without one ours answers, and says where kubectl is to be had', async () => {
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
  expect(notes).toEqual([
    'kubectl is not installed: setpoint answers instead. To install it: https://kubernetes.io/docs/tasks/tools/',
  ])
})

test('who asks for ours gets it without being told', async () => {
  await using cluster = await createCluster({ workloads: 'off' })
  const { folder } = project('asked', cluster.kubeconfig())
  const env = { PATH: fakeKubectl().path, SETPOINT_KUBECTL: 'small' }
  const { code, notes } = await run(folder, env, ['get', 'nothing'])
  expect(code).toBe(1)
  expect(notes).toEqual([`error: the server doesn't have a resource type "nothing"`])
})
