import { request as nodeRequest } from 'node:http'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { joinBytes, nodeHost, readBytes, virtualHost, type Host } from 'setpoint/host'
import { Pod } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { Outbox } from '../api/upgrade/outbox.ts'
import { clientFrame } from '../api/upgrade/testdata/client-frame.ts'
import { createCluster, type Cluster } from './index.ts'

const headers = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
  'sec-websocket-protocol': 'v5.channel.k8s.io',
}

async function clusterWithPod(host: Host): Promise<Cluster> {
  const cluster = await createCluster({ host, tls: 'off', auth: 'off' })
  cluster.pods.behave('shell', {
    exec: ([name, ...args]) =>
      name === 'echo'
        ? { stdout: `${args.join(' ')}\n` }
        : { stderr: `${name ?? ''}: not found\n`, exitCode: 127 },
  })
  const client = new Client(host, await connectionFromKubeconfig(host, cluster.kubeconfig()))
  await cluster.settle()
  const containers = [{ name: 'main', image: 'shell' }]
  await client.create(Pod, { metadata: { name: 'p' }, spec: { containers } })
  await cluster.settle()
  return cluster
}

const pathOf = (...command: string[]): string =>
  `/api/v1/namespaces/default/pods/p/exec?stdout=true&stderr=true&${command
    .map((word) => `command=${encodeURIComponent(word)}`)
    .join('&')}`

/** The messages of a server, by channel, as text. */
function channels(bytes: Uint8Array): [number, string][] {
  const messages: [number, string][] = []
  for (let at = 0; at < bytes.length;) {
    const short = bytes[at + 1] ?? 0
    const head = short === 126 ? 4 : 2
    const length = short === 126 ? ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0) : short
    const payload = bytes.subarray(at + head, at + head + length)
    if (bytes[at] === 0x82)
      messages.push([payload[0] ?? 0, new TextDecoder().decode(payload.subarray(1))])
    at += head + length
  }
  return messages
}

test('runs a command over a WebSocket as the behaviour of its pod defines', async () => {
  using host = virtualHost({ seed: 1 })
  await using cluster = await clusterWithPod(host)
  const run = async (...command: string[]): Promise<[number, string][]> => {
    const outgoing = new Outbox()
    const url = cluster.url + pathOf(...command)
    const answer = await host.request({ method: 'GET', url, headers, body: outgoing })
    expect([answer.status, answer.headers['sec-websocket-accept']]).toEqual([
      101,
      's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
    ])
    void outgoing.put(clientFrame('binary', Uint8Array.of(255, 0)))
    const bytes = await readBytes(answer.body, 100_000)
    outgoing.end()
    return channels(bytes)
  }
  expect(await run('echo', 'hello', 'there')).toEqual([
    [1, 'hello there\n'],
    [3, '{"metadata":{},"status":"Success"}'],
  ])
  const failed = await run('vi')
  expect(failed[0]).toEqual([2, 'vi: not found\n'])
  expect(JSON.parse(failed[1]?.[1] ?? '')).toMatchObject({
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: '127' }] },
  })
})

test('runs a command over a real connection and closes it', async () => {
  await using cluster = await clusterWithPod(nodeHost())
  const url = new URL(cluster.url + pathOf('echo', 'hi'))
  const bytes = await new Promise<Uint8Array>((resolve, reject) => {
    const request = nodeRequest(url, { headers })
    request.on('error', reject)
    request.on('upgrade', (_, socket, head) => {
      const chunks: Uint8Array[] = [head]
      socket.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      socket.on('end', () => resolve(joinBytes(chunks)))
      socket.on('close', () => resolve(joinBytes(chunks)))
    })
    request.end()
  })
  expect(channels(bytes)).toEqual([
    [1, 'hi\n'],
    [3, '{"metadata":{},"status":"Success"}'],
  ])
})

test('refuses a request without upgrade and an unknown container', async () => {
  using host = virtualHost({ seed: 1 })
  await using cluster = await clusterWithPod(host)
  const message = async (path: string, sent: Record<string, string>): Promise<unknown> => {
    const { body } = await host.request({ method: 'POST', url: cluster.url + path, headers: sent })
    return (
      JSON.parse(new TextDecoder().decode(await readBytes(body, 10_000))) as { message: string }
    ).message
  }
  expect(await message(pathOf('echo'), {})).toBe('Upgrade request required')
  expect(await message(`${pathOf('echo')}&container=x`, headers)).toBe(
    'container x is not valid for pod p',
  )
})

test('survives a client that disconnects from attach', async () => {
  using host = virtualHost({ seed: 1 })
  await using cluster = await clusterWithPod(host)
  const controller = new AbortController()
  const url = `${cluster.url}/api/v1/namespaces/default/pods/p/attach?stdout=true`
  const { signal } = controller
  const body = new Outbox()
  const answer = await host.request({ method: 'GET', url, headers, body, signal })
  expect(answer.status).toBe(101)
  await host.sleep(5_000)
  controller.abort()
  await host.sleep(5_000)
  expect((await host.request({ method: 'GET', url: `${cluster.url}/healthz` })).status).toBe(200)
})
