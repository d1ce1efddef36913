import { expect, test } from 'vitest'
import { nodeHost, readText, virtualHost } from '../index.ts'
import type { Host, HttpPayload } from '../index.ts'

const hosts: Record<string, () => Host> = {
  'node host': () => nodeHost(),
  'virtual host': () => virtualHost({ seed: 1 }),
}

function onEveryHost(sentence: string, check: (host: Host) => Promise<void>): void {
  for (const [name, create] of Object.entries(hosts)) {
    test(`${sentence} (${name})`, () => check(create()))
  }
}

/** A body that never ends. */
async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('first')
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
}

const upload = async function* (): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('sent bit by bit')
}

const overdue = expect.objectContaining({
  code: 'NETWORK_TIMEOUT',
  message: expect.stringContaining('no response within 50 ms') as string,
}) as Error

onEveryHost('fails a request without a response in time', async (host) => {
  await using server = await host.listen({
    handle: async ({ signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      return { status: 200 }
    },
  })
  // A streamed body takes another code path than a known body.
  const bodies: (HttpPayload | undefined)[] = [undefined, 'text', upload()]
  for (const body of bodies) {
    const request = { method: 'POST', url: server.url, body, timeoutMs: 50 }
    await expect(host.request(request)).rejects.toEqual(overdue)
  }
})

onEveryHost('fails a response that starts in time but does not end in time', async (host) => {
  await using server = await host.listen({
    handle: async ({ signal }) => ({ status: 200, body: endless(signal) }),
  })
  for (const body of ['text', upload()]) {
    const request = { method: 'POST', url: server.url, body, timeoutMs: 50 }
    const response = await host.request(request)
    await expect(readText(response.body, 100)).rejects.toEqual(overdue)
  }
})

onEveryHost('does not limit a stream after its head', async (host) => {
  await using server = await host.listen({
    handle: async () => ({
      status: 200,
      body: (async function* () {
        yield new TextEncoder().encode('one ')
        await host.sleep(1_600)
        yield new TextEncoder().encode('two')
      })(),
    }),
  })
  const read = async (body: HttpPayload): Promise<string> => {
    const asked = { method: 'POST', url: server.url, body, timeoutMs: 1_500 }
    const response = await host.request({ ...asked, timeoutOf: 'head' })
    return readText(response.body, 100)
  }
  expect(await Promise.all([read('text'), read(upload())])).toEqual(['one two', 'one two'])
})

onEveryHost('takes a complete body synchronously, and only once', async (host) => {
  await using server = await host.listen({
    handle: async () => ({ status: 200, body: 'whole' }),
  })
  const { body } = await host.request({ method: 'GET', url: server.url })
  // Only some hosts know it; other bodies are read as they arrive.
  const whole = body.takeWhole?.()
  if (whole === undefined) expect(await readText(body, 100)).toBe('whole')
  else {
    expect(new TextDecoder().decode(whole)).toBe('whole')
    expect(body.takeWhole?.()).toBeUndefined()
    expect(() => body[Symbol.asyncIterator]()).toThrow(/read twice/)
  }
})
