import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, test } from 'vitest'
import { nodeHost, type Host, readText, virtualHost } from '../index.ts'
import { authorityOne, serverOne } from '../testdata/certificates.ts'

const hosts: Record<string, () => Host> = {
  'node host': () => nodeHost(),
  'virtual host': () => virtualHost({ seed: 5 }),
}

async function* stream(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(3)
}

for (const [name, create] of Object.entries(hosts)) {
  test(`sends nothing when beforeSend throws, on new and on used connections (${name})`, async () => {
    const host = create()
    let requests = 0
    await using server = await host.listen({
      handle: async ({ body }) => {
        requests += 1
        await readText(body, 100)
        return { status: 200, body: 'ok' }
      },
    })
    const { url } = server
    const refuse = (): void => {
      throw new Error('too late')
    }
    for (const body of ['text', stream()]) {
      const put = { method: 'PUT', url, body }
      await expect(host.request({ ...put, beforeSend: refuse })).rejects.toThrow('too late')
    }
    expect(requests).toBe(0)
    let calls = 0
    for (const body of ['text', stream(), 'text']) {
      const beforeSend = (): void => void (calls += 1)
      const response = await host.request({ method: 'PUT', url, body, beforeSend })
      expect(await readText(response.body, 10)).toBe('ok')
    }
    expect([calls, requests]).toEqual([3, 3])
    await expect(
      host.request({ method: 'PUT', url, body: 'text', beforeSend: refuse }),
    ).rejects.toThrow('too late')
    expect(requests).toBe(3)
  })
}

test('calls beforeSend after the TLS handshake', async () => {
  const waiting: Socket[] = []
  let received = 0
  const tls = createTlsServer({ ...serverOne }, (socket) =>
    socket.on('data', (data: Buffer) => (received += data.length)).on('error', () => undefined),
  )
  let accepted = (): void => undefined
  const arrived = new Promise<void>((resolve) => (accepted = resolve))
  const server = createServer((socket) => {
    waiting.push(socket.on('error', () => undefined))
    accepted()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let mayWrite = true
  const answer = nodeHost().request({
    method: 'PUT',
    url: `https://127.0.0.1:${port}/`,
    tls: { ca: authorityOne },
    body: 'late',
    beforeSend: () => {
      if (!mayWrite) throw new Error('too late')
    },
  })
  answer.catch(() => undefined)
  await arrived
  // The process loses leadership while the handshake hangs.
  mayWrite = false
  for (const socket of waiting) tls.emit('connection', socket)
  await expect(answer).rejects.toThrow('too late')
  const closed = waiting.map(
    (socket) =>
      new Promise<void>((resolve) => {
        if (socket.destroyed) resolve()
        else socket.once('close', () => resolve())
      }),
  )
  await Promise.all(closed)
  expect(received).toBe(0)
  await new Promise((resolve) => server.close(resolve))
})
