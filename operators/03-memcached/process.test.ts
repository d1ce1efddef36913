import { readFile } from 'node:fs/promises'
import { createCluster, type ProcessImages } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type InferManifest, start } from 'setpoint'
import { type Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { Pod } from 'setpoint/kinds'
import { ask, isInstalled } from '../../packages/cluster/src/nodes/process/testdata/memcached.ts'
import { Memcached } from './memcached.ts'
import memcached from './operator.ts'

const host = nodeHost({ log: () => undefined })
const port = 11_211

const read = async (name: string): Promise<unknown> =>
  parse(await readFile(new URL(name, import.meta.url), 'utf8'))

/** Retries until `check` does not throw; after 30 s it throws the last error. */
async function eventually<T>(check: () => Promise<T>): Promise<T> {
  const untilMs = host.monotonicMs() + 30_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (host.monotonicMs() > untilMs) throw error
      await host.sleep(100)
    }
  }
}

/** Starts the operator and creates the sample on a cluster whose pods are processes. */
async function startCluster(): Promise<Client> {
  const images = (await read('images.yaml')) as ProcessImages
  const cluster = await createCluster({ host, nodes: { process: { images } } })
  onTestFinished(() => cluster.dispose())
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const running = await start([memcached], { host, connection, install: true })
  onTestFinished(() => running.stop())
  await running.client.create(
    Memcached,
    (await read('sample.yaml')) as InferManifest<typeof Memcached>,
  )
  return running.client
}

/** The addresses of the servers in the status, when there are `count` and all are ready. */
async function servers(client: Client, count: number): Promise<Map<string, string>> {
  return eventually(async () => {
    const { status } = await client.get(Memcached, 'memcached-sample')
    expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }])
    expect(status?.nodes).toHaveLength(count)
    const found = new Map<string, string>()
    for (const name of status?.nodes ?? []) {
      const pod = await client.get(Pod, name)
      expect(Pod.isReady(pod)).toBe(true)
      found.set(name, pod.status?.podIP ?? '')
    }
    return found
  })
}

async function pidAt(hostname: string): Promise<number> {
  const stats = await ask({ hostname, port }, 'stats\r\n', 'END\r\n')
  return Number(/STAT pid (\d+)/.exec(stats)?.[1])
}

test('runs real memcached servers, which store keys and are replaced when they are killed', async ({
  skip,
}) => {
  skip(!isInstalled('memcached'), 'memcached is not installed')
  const client = await startCluster()
  const before = await servers(client, 3)
  const [[name = '', hostname = ''] = [], [, other = ''] = []] = [...before]
  expect(await ask({ hostname, port }, 'set key 0 0 5\r\nvalue\r\n', '\r\n')).toBe('STORED\r\n')
  expect(await ask({ hostname, port }, 'get key\r\n', 'END\r\n')).toContain('value')
  expect(await ask({ hostname: other, port }, 'get key\r\n', 'END\r\n')).toBe('END\r\n')

  // A killed process is restarted in its pod, with an empty cache.
  const pid = await pidAt(hostname)
  process.kill(pid, 'SIGKILL')
  await eventually(async () => expect(await pidAt(hostname)).not.toBe(pid))
  expect(await ask({ hostname, port }, 'get key\r\n', 'END\r\n')).toBe('END\r\n')
  expect([...(await servers(client, 3)).keys()]).toEqual([...before.keys()])

  // A deleted pod is replaced by one with another name.
  await client.delete(Pod, name)
  await eventually(async () => {
    const after = await servers(client, 3)
    expect([...after.keys()]).not.toContain(name)
  })

  await client.setScale(Memcached, 'memcached-sample', { replicas: 4 })
  for (const address of (await servers(client, 4)).values()) {
    expect(await pidAt(address)).toBeGreaterThan(0)
  }
})
