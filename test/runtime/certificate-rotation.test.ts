import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineResource, operator, problem, serveApi, serveResource, start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import { defineKind, Service, type StoredMetadata } from 'setpoint/kinds'
import { verifiedTls } from './verified-tls.ts'

const group = 'example.com'

const Disk = defineResource({
  group,
  version: 'v2',
  kind: 'Disk',
  spec: z.object({ size: z.object({ gibibytes: z.int32() }) }),
  versions: {
    v1: {
      spec: z.object({ gibibytes: z.int32() }),
      up: ({ spec }) => ({ spec: { size: spec } }),
      down: ({ spec: { size } }) => ({ spec: size }),
    },
  },
})

interface OldDisk {
  apiVersion: string
  kind: 'Disk'
  metadata: StoredMetadata<'Namespaced'>
  spec: { gibibytes: number }
}

const OldDisk = defineKind<OldDisk>({
  apiVersion: `${group}/v1`,
  kind: 'Disk',
  plural: 'disks',
  scope: 'Namespaced',
})

const Usage = defineResource({
  group: 'usage.example.com',
  version: 'v1',
  kind: 'Usage',
  spec: z.object({ gibibytes: z.int32() }),
})

const usage = { metadata: { name: 'total', namespace: 'default' }, spec: { gibibytes: 3 } }

const operators = [
  operator(Disk)
    .validate(({ spec }) =>
      spec.size.gibibytes > 100 ? [problem('spec.size.gibibytes', 'at most 100')] : [],
    )
    .mutate((disk) => {
      disk.metadata.labels = { ...disk.metadata.labels, reviewed: 'yes' }
    }),
  serveApi({
    resources: [serveResource(Usage, { get: () => usage, list: () => [usage] })],
  }),
]

const rotations = 20
/** An authority is replaced after two minutes; the overlap is the shortest allowed one. */
const lifetimes = { ca: '20m', serving: '1h', overlap: '2m', renewAfter: 0.1 } as const
/** How late an API server notices a change. */
const lagMs = 60_000
const pauseMs = 30_000

async function createWorld() {
  const host = virtualHost({ seed: 'rotation' })
  const tls = verifiedTls(host, { lagMs })
  const cluster = await createCluster({ host: tls.client, workloads: 'off' })
  const { client } = cluster
  const service = { name: 'webhooks', namespace: 'default' }
  await client.create(Service, { metadata: service, spec: { ports: [{ port: 443 }] } })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const webhooks = { service, lifetimes }
  const startReplica = () =>
    start(operators, { host: tls.server, connection, webhooks, install: true })
  const first = await startReplica()
  const forward = (url = ''): Disposable => cluster.forwardService('default/webhooks', url)
  forward(first.webhooksUrl)
  const replicas = [first, await startReplica()]
  return {
    host,
    tls,
    client,
    /** The next request to the Service goes to the other replica. */
    useReplica: (turn: number) => forward(replicas[turn % replicas.length]?.webhooksUrl),
    [Symbol.asyncDispose]: async () => {
      for (const replica of replicas) await replica[Symbol.asyncDispose]()
      await cluster.dispose()
      host.stop()
    },
  }
}

/** Everything that an API server calls, once. */
async function useAll({ client }: Awaited<ReturnType<typeof createWorld>>, turn: number) {
  const name = `disk-${turn}`
  const created = await client.create(Disk, {
    metadata: { name },
    spec: { size: { gibibytes: 5 } },
  })
  expect(created.metadata.labels).toEqual({ reviewed: 'yes' })
  const { spec } = await client.get(OldDisk, name)
  expect(spec).toEqual({ gibibytes: 5 })
  const { spec: used } = await client.get(Usage, { name: 'total', namespace: 'default' })
  expect(used).toEqual({ gibibytes: 3 })
  await client.delete(Disk, name)
}

test('rotates the authority 20 times under load, and no call of the API server fails', async () => {
  await using world = await createWorld()
  const failures: string[] = []
  let turn = 0
  for (; world.tls.issuers.size <= rotations && turn < 1_000; turn += 1) {
    world.useReplica(turn)
    await useAll(world, turn).catch((error: unknown) => failures.push(String(error)))
    await world.host.sleep(pauseMs)
  }
  expect(failures).toEqual([])
  expect(world.tls.issuers.size).toBe(rotations + 1)
  expect(world.tls.handshakes()).toBeGreaterThan(turn * 4)
})
