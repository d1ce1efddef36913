import { expect, test } from 'vitest'
import { type ServerRequest, type ServerResponse, virtualHost } from '../host/index.ts'
import { ConfigMap, Pod, Secret } from '../kinds/index.ts'
import { Client, fixedCredentials } from './index.ts'
import { createInProtobuf } from './protobuf-writes.ts'

/** A server that answers as it is told, and a client of it. */
async function served(
  answer: (request: ServerRequest) => ServerResponse | Promise<ServerResponse>,
) {
  const host = virtualHost({ seed: 1 })
  const paths: string[] = []
  const server = await host.listen({
    handle: async (request) => {
      paths.push(`${request.method} ${request.path.replace(/\?.*/, '')}`)
      return answer(request)
    },
  })
  const credentials = fixedCredentials({})
  const connection = { server: server.url, namespace: 'default', name: 'test', credentials }
  return { host, paths, client: new Client(host, connection) }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = []
  for await (const item of items) seen.push(item)
  return seen
}

const json = (value: unknown): ServerResponse => ({ status: 200, body: JSON.stringify(value) })
const metadata = { name: 'a', namespace: 'default' }

test('an answer that is no API object is told by its type and size, not by its content', async () => {
  for (const body of ['<html>token</html>', '', 'null', '[]', '{}', '"token"', '\u001f\u008b']) {
    const it = await served(() => ({ status: 200, headers: { 'content-type': 'text/x' }, body }))
    const stranger = {
      code: 'NETWORK_PROTOCOL_ERROR',
      message: expect.stringMatching(
        /^(get|list) of .* failed: \d+ bytes of text\/x came, which are no API object\n {2}hint: .*login page$/,
      ) as string,
    }
    await expect(it.client.get(Secret, 'a')).rejects.toMatchObject(stranger)
    await expect(it.client.scale(Secret, 'a')).rejects.toMatchObject(stranger)
    await expect(it.client.listAll(Secret)).rejects.toMatchObject(stranger)
  }
})

test('a write that is answered with no API object may have happened, unless it was a dry run', async () => {
  const it = await served(() => ({ status: 200, body: '<html>' }))
  const unknown = {
    code: 'WRITE_OUTCOME_UNKNOWN',
    message: expect.stringContaining(
      'of ConfigMap default/a may have happened: 6 bytes of an unknown type came',
    ) as string,
    cause: expect.objectContaining({ code: 'NETWORK_PROTOCOL_ERROR' }) as Error,
  }
  const { client } = it
  await expect(client.create(ConfigMap, { metadata })).rejects.toMatchObject(unknown)
  await expect(client.delete(ConfigMap, 'a')).rejects.toMatchObject(unknown)
  const creation = { object: { metadata }, options: {} }
  await expect(createInProtobuf(client, ConfigMap, creation)).rejects.toMatchObject(unknown)
  const dryRun = true
  const stranger = { code: 'NETWORK_PROTOCOL_ERROR' }
  await expect(client.create(ConfigMap, { metadata }, { dryRun })).rejects.toMatchObject(stranger)
  await expect(client.delete(ConfigMap, 'a', { dryRun })).rejects.toMatchObject(stranger)
})

test('what is no event ends a watch with an error, also without a newline; blank lines are nothing', async () => {
  const event = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}'
  const watched = async (body: string): Promise<unknown> => {
    const it = await served(() => ({ status: 200, body }))
    return all(it.client.watch(ConfigMap))
  }
  const strange = ['null', '{"type":"ADDED"}', '{"type":"BOOKMARK","object":{}}', '5', 'secret']
  for (const line of strange) {
    await expect(watched(`${line}\n`)).rejects.toMatchObject({
      code: 'NETWORK_PROTOCOL_ERROR',
      message: expect.stringMatching(
        /^watch of configmaps .* sent something that is no event/,
      ) as string,
    })
  }
  for (const body of [`${event}\n${event.slice(0, -9)}`, '<html>']) {
    await expect(watched(body)).rejects.toMatchObject({ code: 'NETWORK_PROTOCOL_ERROR' })
  }
  expect(await watched(`\n${event}\n \r\n`)).toMatchObject([{ type: 'ADDED' }])
})

test('the last line of a log needs no newline, and empty lines are lines', async () => {
  const it = await served(() => ({ status: 200, body: 'one\n\ntwo' }))
  expect(await all(it.client.logs('p'))).toEqual(['one', '', 'two'])
})

test('of a log a part is asked for', async () => {
  const queries: string[] = []
  const it = await served(({ path }) => {
    queries.push(path.replace(/^.*\?/, ''))
    return { status: 200, body: '' }
  })
  const sinceTime = '2026-11-17T00:00:00Z'
  await all(it.client.logs('p', { container: 'c', sinceTime, limitBytes: 10, tailLines: 3 }))
  const asked = Object.fromEntries(new URLSearchParams(queries[0]))
  expect(asked).toEqual({ container: 'c', sinceTime, limitBytes: '10', tailLines: '3' })
})

test('the deadline of a list is that of all its pages, without the time its reader takes', async () => {
  const it = await served(async () => {
    await it.host.sleep(100)
    return json({ metadata: { continue: 'more' }, items: [] })
  })
  await expect(it.client.listAll(ConfigMap, { timeout: 350 })).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
    message: expect.stringContaining('took longer than 350 ms') as string,
  })
  expect(it.host.monotonicMs()).toBe(350)
  const pages = it.client.listPages(ConfigMap, { timeout: 350 })
  for (let page = 0; page < 3; page += 1) {
    expect((await pages.next()).done).toBe(false)
    await it.host.sleep(1000)
  }
  await expect(pages.next()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
})

test('a page may hold more items than a call can have arguments', async () => {
  const items = Array.from({ length: 200_000 }, () => ({}))
  const it = await served(() => json({ metadata: {}, items }))
  expect(await it.client.listAll(ConfigMap)).toHaveLength(items.length)
})

test('a list whose revision is forgotten on the way is read as one page, if nobody has seen the first', async () => {
  const it = await served(({ path }) => {
    if (path.includes('continue=')) return { status: 410 }
    const isWhole = path.includes('limit=0')
    const names = isWhole ? ['a', 'b'] : ['a']
    const items = names.map((name) => ({ metadata: { name } }))
    return json({ metadata: isWhole ? {} : { continue: 'more' }, items })
  })
  expect(await it.client.listAll(ConfigMap)).toHaveLength(2)
  await expect(all(it.client.list(ConfigMap))).rejects.toMatchObject({ code: 'API_EXPIRED' })
})

test('a namespace cannot lead elsewhere, wherever it is given', async () => {
  const it = await served(() => json({ metadata: {} }))
  const { client, paths } = it
  const misused = { code: 'CLIENT_MISUSED' }
  for (const namespace of ['x/secrets', '..', '%2e']) {
    await expect(client.listAll(ConfigMap, { namespace })).rejects.toMatchObject(misused)
    await expect(all(client.watch(ConfigMap, { namespace }))).rejects.toMatchObject(misused)
  }
  await expect(client.get(ConfigMap, undefined as never)).rejects.toMatchObject(misused)
  expect(paths).toEqual([])
  await client.get(ConfigMap, { name: 'a?b', namespace: 'n#?x' })
  expect(paths).toEqual(['GET /api/v1/namespaces/n%23%3Fx/configmaps/a%3Fb'])
})

test('a part of an object is created below it, with an identity of its own', async () => {
  let sent: unknown
  const it = await served(async ({ body }) => {
    for await (const chunk of body) sent = JSON.parse(new TextDecoder().decode(chunk))
    return json({ metadata: {} })
  })
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' } }
  await it.client.create(Pod, binding as never, { subresource: 'binding' })
  expect(it.paths).toEqual(['POST /api/v1/namespaces/default/pods/p/binding'])
  expect(sent).toEqual(binding)
})
