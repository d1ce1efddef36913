import { virtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { type CommandInput, exitCodes } from '../command/index.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { accessCluster, agreeToWrites, type ClusterAccess } from './access-cluster.ts'

const inputWith = (...flags: readonly string[]): CommandInput => ({
  arguments: [],
  has: (name) => flags.includes(name),
  value: (name) => (name === 'kubeconfig' ? '/kubeconfig' : undefined),
  values: () => [],
})

async function accessTo(server: string, proxy = ''): Promise<ClusterAccess> {
  const kubeconfig = {
    clusters: [{ name: 'c', cluster: { server, 'proxy-url': proxy } }],
    contexts: [{ name: 'staging', context: { cluster: 'c', user: '' } }],
    'current-context': 'staging',
  }
  const host = virtualHost({ seed: 1, files: { '/kubeconfig': JSON.stringify(kubeconfig) } })
  const { signal } = new AbortController()
  const context = { host, terminal: new RecordingTerminal(), folder: '/', signal }
  return accessCluster(context, inputWith())
}

async function agreed(access: ClusterAccess, answers?: string[], ...flags: string[]) {
  const terminal = new RecordingTerminal(answers === undefined ? {} : { answers })
  const { signal } = new AbortController()
  const context = { host: virtualHost({ seed: 1 }), terminal, folder: '/', signal }
  await agreeToWrites(context, inputWith(...flags), { access, what: 'do it' })
  return terminal.questions
}

test.each([
  ['https://127.0.0.1:6443', '', true],
  ['https://[::1]:6443', '', true],
  ['https://localhost:6443', '', true],
  ['https://127.0.0.1.example.com', '', false],
  ['https://10.0.0.1:6443', '', false],
  ['https://127.0.0.1:6443', 'http://proxy.example.com:3128', false],
])('whether %s by the proxy %j is on this machine: %s', async (server, proxy, isLocal) => {
  expect((await accessTo(server, proxy)).isLocal).toBe(isLocal)
})

test('what a cluster is called has no password in it', async () => {
  const { title } = await accessTo('https://me:hunter2@api.example.com/k8s/one')
  expect(title).toBe('staging (https://api.example.com/k8s/one)')
})

test('who writes to a cluster of others is asked; --yes answers, and where nobody is, nothing is done', async () => {
  const access = await accessTo('https://api.example.com')
  expect(await agreed(access, ['y'])).toEqual(['do it on staging (https://api.example.com)? [y/N]'])
  expect(await agreed(access, undefined, 'yes')).toEqual([])
  for (const answers of [undefined, [''], ['no']]) {
    await expect(agreed(access, answers)).rejects.toMatchObject({ exitCode: exitCodes.declined })
  }
})
