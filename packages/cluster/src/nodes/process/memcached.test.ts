import { createCluster, type Cluster } from '@setpoint/cluster'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { Deployment, EndpointSlice, Event, Pod, Service } from 'setpoint/kinds'
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { ask, isInstalled } from './testdata/memcached.ts'

const host = nodeHost({ log: () => undefined })
const app = 'memcached'
const port = 11_211

/** Polls until a check passes; throws the error of the last check after 30 s. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const untilMs = host.monotonicMs() + 30_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (host.monotonicMs() > untilMs) throw error
      await host.sleep(50)
    }
  }
}

async function startCluster(): Promise<{ cluster: Cluster; client: Client }> {
  const cluster = await createCluster({
    host,
    nodes: {
      process: {
        images: {
          'memcached*': {
            command: 'memcached',
            args: ['-u', 'root'],
            lastArgs: ['-l', '$(POD_IP)'],
          },
        },
      },
    },
  })
  onTestFinished(() => cluster.dispose())
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  return { cluster, client: new Client(host, connection) }
}

async function deploy(client: Client): Promise<void> {
  const readinessProbe = { tcpSocket: { port }, periodSeconds: 1 }
  const container = { name: app, image: 'memcached:1.6', ports: [{ containerPort: port }] }
  await client.create(Deployment, {
    metadata: { name: app },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: { containers: [{ ...container, readinessProbe }] },
      },
    },
  })
  await client.create(Service, {
    metadata: { name: app },
    spec: { selector: { app }, ports: [{ port }] },
  })
}

/** The addresses of the ready pods, as clients find them. */
async function addresses(client: Client): Promise<string[]> {
  const slices = await client.listAll(EndpointSlice, {
    labelSelector: `kubernetes.io/service-name=${app}`,
  })
  return slices
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready === true)
    .flatMap(({ addresses: found }) => found)
    .sort()
}

/** The process ID behind an address, as memcached reports it. */
async function pidOf(hostname: string): Promise<number> {
  const stats = await ask({ hostname, port }, 'stats\r\n', 'END\r\n')
  return Number(/STAT pid (\d+)/.exec(stats)?.[1])
}

// Needs the package memcached. Other servers are run in the same way.
const isMissing = !isInstalled('memcached')
const why = 'memcached is not installed'

test('runs three memcached, restarts a killed one, and leaves none at the end', async ({
  skip,
}) => {
  skip(isMissing, why)
  const { cluster, client } = await startCluster()
  await deploy(client)
  await eventually(async () => expect(await addresses(client)).toHaveLength(1))
  await client.setScale(Deployment, app, { replicas: 3 })
  await eventually(async () => expect(await addresses(client)).toHaveLength(3))

  const [first = '', ...others] = await addresses(client)
  const address = { hostname: first, port }
  expect(await ask(address, 'set key 0 0 5\r\nvalue\r\n', '\r\n')).toBe('STORED\r\n')
  expect(await ask(address, 'get key\r\n', 'END\r\n')).toContain('value')
  expect(await ask({ hostname: others[0] ?? '', port }, 'get key\r\n', 'END\r\n')).toBe('END\r\n')

  const pid = await pidOf(first)
  process.kill(pid, 'SIGKILL')
  await eventually(async () => {
    const pods = await client.listAll(Pod, { labelSelector: `app=${app}` })
    const pod = pods.find(({ status }) => status?.podIP === first)
    expect(pod?.status?.containerStatuses?.[0]).toMatchObject({
      ready: true,
      restartCount: 1,
      lastState: { terminated: { exitCode: 137, reason: 'Error' } },
    })
    expect(await pidOf(first)).not.toBe(pid)
  })
  const reasons = (await client.listAll(Event)).map(({ reason }) => reason)
  expect(reasons).toEqual(expect.arrayContaining(['Scheduled', 'Pulled', 'Created', 'Started']))

  const pids = await Promise.all([first, ...others].map(pidOf))
  await cluster.dispose()
  expect(pids.filter((one) => existsSync(`/proc/${one}`))).toEqual([])
})

test('stores and reads a key through the cluster IP of the Service', async ({ skip }) => {
  skip(isMissing, why)
  const { client } = await startCluster()
  await deploy(client)
  await eventually(async () => expect(await addresses(client)).toHaveLength(1))
  const { spec } = await client.get(Service, app)
  const address = { hostname: spec.clusterIP ?? '', port }
  await eventually(async () => {
    expect(await ask(address, 'set key 0 0 5\r\nvalue\r\n', '\r\n')).toBe('STORED\r\n')
  })
  expect(await ask(address, 'get key\r\n', 'END\r\n')).toContain('value')
})
