import { virtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { type CommandInput, exitCodes } from '../command/index.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { accessCluster, confirmWrites, type ClusterAccess } from './access-cluster.ts'

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

async function questionsOf(access: ClusterAccess, answers?: string[], ...flags: string[]) {
  const terminal = new RecordingTerminal(answers === undefined ? {} : { answers })
  const { signal } = new AbortController()
  const context = { host: virtualHost({ seed: 1 }), terminal, folder: '/', signal }
  await confirmWrites(context, inputWith(...flags), { access, what: 'do it' })
  return terminal.questions
}

test.each([
  ['https://127.0.0.1:6443', '', true],
  ['https://[::1]:6443', '', true],
  ['https://localhost:6443', '', true],
  ['https://127.0.0.1.example.com', '', false],
  ['https://10.0.0.1:6443', '', false],
  ['https://127.0.0.1:6443', 'http://proxy.example.com:3128', false],
])('isLocal of %s with the proxy %j is %s', async (server, proxy, isLocal) => {
  expect((await accessTo(server, proxy)).isLocal).toBe(isLocal)
})

test('leaves credentials in the URL out of the title', async () => {
  const { title } = await accessTo('https://me:hunter2@api.example.com/k8s/one')
  expect(title).toBe('staging (https://api.example.com/k8s/one)')
})

test('asks before writes to a remote cluster; --yes skips the question; refuses without a terminal', async () => {
  const access = await accessTo('https://api.example.com')
  expect(await questionsOf(access, ['y'])).toEqual([
    'do it on staging (https://api.example.com)? [y/N]',
  ])
  expect(await questionsOf(access, undefined, 'yes')).toEqual([])
  for (const answers of [undefined, [''], ['no']]) {
    await expect(questionsOf(access, answers)).rejects.toMatchObject({
      exitCode: exitCodes.declined,
    })
  }
})
