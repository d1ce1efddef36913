import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { connectionFromKubeconfig, Transport } from '../client/index.ts'
import { type Host, nodeHost } from '../host/index.ts'
import { ConfigMap } from '../kinds/index.ts'
import { Cache } from './index.ts'

/** How much faster the clock of the client runs: 36 s of silence take 1.8 s. */
const speed = 20

/** A host whose clock and timers are faster than real ones. */
function fastHost(host: Host): Host {
  return {
    ...host,
    monotonicMs: () => host.monotonicMs() * speed,
    setTimer: (ms, run) => host.setTimer(ms / speed, run),
    sleep: (ms, signal) => host.sleep(ms / speed, signal),
  }
}

/**
 * A TCP proxy. After `stall` it forwards nothing on the connections that exist, and keeps them
 * open: the kernel of the client gets its acknowledgements and notices nothing.
 */
async function openProxy(targetPort: number) {
  const open = new Map<Socket, { isStalled: boolean }>()
  const server = createServer((client) => {
    const state = { isStalled: false }
    const target = connect(targetPort, '127.0.0.1')
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      open.set(from, state)
      from.on('error', () => to.destroy())
      from.on('data', (data) => {
        if (!state.isStalled) to.write(data)
      })
      from.on('close', () => {
        open.delete(from)
        if (!state.isStalled) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stall: () => open.forEach((state) => (state.isStalled = true)),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open.keys()) socket.destroy()
      await closed
    },
  }
}

test(
  'notices a watch that a proxy keeps open and no longer forwards',
  { timeout: 8_000 },
  async () => {
    const host = nodeHost({ log: () => undefined })
    await using cluster = await createCluster({ host, auth: 'off', tls: 'off', workloads: 'off' })
    await using proxy = await openProxy(cluster.port)
    const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
    const server = `http://127.0.0.1:${proxy.port}`
    const clock = fastHost(host)
    const transport = new Transport(clock, { ...connection, server })
    const cache = new Cache({ host: clock, transport })
    const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
    await maps.whenSynced()
    proxy.stall()
    const seen = new Promise<string>((resolve) => {
      maps.subscribe(({ key }) => {
        if (key === 'default/late') resolve(key)
      })
    })
    await cluster.client.create(ConfigMap, { metadata: { name: 'late' } })
    expect(await seen).toBe('default/late')
    await cache.stop()
  },
)
