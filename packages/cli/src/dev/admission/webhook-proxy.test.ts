import { expect, test } from 'vitest'
import { readText, virtualHost } from 'setpoint/host'
import { WebhookProxy } from './webhook-proxy.ts'

const text = async (body: Parameters<typeof readText>[0]): Promise<string> => readText(body, 1000)

test('requests wait while the operators are reloaded', async () => {
  const host = virtualHost({ seed: 1 })
  const proxy = await WebhookProxy.start(host, { folder: '/project' })
  const [, url = '', , port = '', , directory = ''] = proxy.options
  const identity = async (name: string): Promise<string> =>
    new TextDecoder().decode(await host.readFile(`${directory}/${name}`))
  const tls = { cert: await identity('tls.crt'), key: await identity('tls.key') }
  const listen = (answer: string) =>
    host.listen({
      port: Number(port),
      tls,
      handle: async ({ path, body }) => ({
        status: 200,
        body: `${answer}: ${path} ${await text(body)}`,
      }),
    })
  const review = async (): Promise<string> => {
    const request = { method: 'POST', url: `${url}/validate/a?timeout=10s`, body: '{}' }
    return text((await host.request(request)).body)
  }
  const early = review()
  await host.sleep(3_000)
  const first = await listen('first')
  expect(await early).toBe('first: /validate/a?timeout=10s {}')
  await first.close({ graceMs: 0 })
  const between = review()
  await host.sleep(3_000)
  const second = await listen('second')
  expect(await between).toBe('second: /validate/a?timeout=10s {}')
  await second.close({ graceMs: 0 })
  await proxy[Symbol.asyncDispose]()
  expect(await host.fileInfo(directory)).toBeUndefined()
  host.stop()
})

test('the API server of another cluster gets the given URL', async () => {
  const host = virtualHost({ seed: 1 })
  const url = 'https://laptop.example.com:9443'
  const proxy = await WebhookProxy.start(host, { folder: '/project', url, port: 9443 })
  expect(proxy.options.slice(0, 2)).toEqual(['--webhook-url', url])
  await proxy[Symbol.asyncDispose]()
  host.stop()
})
