/** The cost of the hosts: virtual time, and one request over the virtual and the real network. */
import { nodeHost, readText, virtualHost, type Host } from '../packages/setpoint/src/host/index.ts'
import { microsecondsOf, table } from './table.ts'

async function requestMicroseconds(host: Host): Promise<number> {
  await using server = await host.listen({
    handle: () => Promise.resolve({ status: 200, body: 'ok' }),
  })
  return await microsecondsOf(500, async () => {
    const { body } = await host.request({ method: 'GET', url: `${server.url}/` })
    await readText(body, 100)
  })
}

export async function hostSpeed(): Promise<string> {
  const host = virtualHost({ seed: 1 })
  const timers = async (): Promise<void> => {
    for (let count = 0; count < 10_000; count += 1) await host.sleep(1)
  }
  const rows = [
    [
      'an hour of virtual time with nothing to do',
      await microsecondsOf(1000, () => host.sleep(3_600_000)),
    ],
    ['10,000 virtual timers, one after the other', await microsecondsOf(1, timers)],
    ['a request and its answer, virtual network', await requestMicroseconds(host)],
    ['a request and its answer, loopback sockets', await requestMicroseconds(nodeHost())],
  ] as const
  host.stop()
  return `Microseconds, the median of five rounds.\n\n${table(['what', 'µs'], rows)}`
}
