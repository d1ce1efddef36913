import { expect, test } from 'vitest'
import { type ServerRequest, type ServerResponse, virtualHost } from '../host/index.ts'
import { ConfigMap, Pod, Secret } from '../kinds/index.ts'
import { Client, fixedCredentials } from './index.ts'
import { createInProtobuf } from './protobuf-writes.ts'

/** A server with the given responses, and a client of it. */
async function serve(answer: (request: ServerRequest) => ServerResponse | Promise<ServerResponse>) {
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

test('reports a response that is not an API object by its type and size, not by its content', async () => {
  for (const body of ['<html>token</html>', '', 'null', '[]', '{}', '"token"', '\u001f\u008b']) {
    const world = await serve(() => ({ status: 200, headers: { 'content-type': 'text/x' }, body }))
    const stranger = {
      code: 'NETWORK_PROTOCOL_ERROR',
      message: expect.stringMatching(
        /^(get|list) of .* failed: received \d+ bytes of text\/x, which are not an API object\n {2}hint: .*login page$/,
      ) as string,
    }
    await expect(world.client.get(Secret, 'a')).rejects.toMatchObject(stranger)
    await expect(world.client.scale(Secret, 'a')).rejects.toMatchObject(stranger)
    await expect(world.client.listAll(Secret)).rejects.toMatchObject(stranger)
  }
})

test('reports an unknown outcome when a write gets a response that is not an API object, except for a dry run', async () => {
  const world = await serve(() => ({ status: 200, body: '<html>' }))
  const unknown = {
    code: 'WRITE_OUTCOME_UNKNOWN',
    message: expect.stringContaining(
      'of ConfigMap default/a may have happened: received 6 bytes of an unknown type',
    ) as string,
    cause: expect.objectContaining({ code: 'NETWORK_PROTOCOL_ERROR' }) as Error,
  }
  const { client } = world
  await expect(client.create(ConfigMap, { metadata })).rejects.toMatchObject(unknown)
  await expect(client.delete(ConfigMap, 'a')).rejects.toMatchObject(unknown)
  const creation = { object: { metadata }, options: {} }
  await expect(createInProtobuf(client, ConfigMap, creation)).rejects.toMatchObject(unknown)
  const dryRun = true
  const stranger = { code: 'NETWORK_PROTOCOL_ERROR' }
  await expect(client.create(ConfigMap, { metadata }, { dryRun })).rejects.toMatchObject(stranger)
  await expect(client.delete(ConfigMap, 'a', { dryRun })).rejects.toMatchObject(stranger)
})

test('ends a watch with an error on an invalid event, and ignores blank lines', async () => {
  const event = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}'
  const watched = async (body: string): Promise<unknown> => {
    const world = await serve(() => ({ status: 200, body }))
    return all(world.client.watch(ConfigMap))
  }
  const strange = ['null', '{"type":"ADDED"}', '{"type":"BOOKMARK","object":{}}', '5', 'secret']
  for (const line of strange) {
    await expect(watched(`${line}\n`)).rejects.toMatchObject({
      code: 'NETWORK_PROTOCOL_ERROR',
      message: expect.stringMatching(
        /^watch of configmaps .* received something that is not a watch event/,
      ) as string,
    })
  }
  for (const body of [`${event}\n${event.slice(0, -9)}`, '<html>']) {
    await expect(watched(body)).rejects.toMatchObject({ code: 'NETWORK_PROTOCOL_ERROR' })
  }
  expect(await watched(`\n${event}\n \r\n`)).toMatchObject([{ type: 'ADDED' }])
})

test('reads the last line of a log without a newline, and empty lines', async () => {
  const world = await serve(() => ({ status: 200, body: 'one\n\ntwo' }))
  expect(await all(world.client.logs('p'))).toEqual(['one', '', 'two'])
})

test('requests a part of a log', async () => {
  const queries: string[] = []
  const world = await serve(({ path }) => {
    queries.push(path.replace(/^.*\?/, ''))
    return { status: 200, body: '' }
  })
  const sinceTime = '2026-11-17T00:00:00Z'
  await all(world.client.logs('p', { container: 'c', sinceTime, limitBytes: 10, tailLines: 3 }))
  const asked = Object.fromEntries(new URLSearchParams(queries[0]))
  expect(asked).toEqual({ container: 'c', sinceTime, limitBytes: '10', tailLines: '3' })
})

test('applies the deadline of a list to all pages, without the time of its reader', async () => {
  const world = await serve(async () => {
    await world.host.sleep(100)
    return json({ metadata: { continue: 'more' }, items: [] })
  })
  await expect(world.client.listAll(ConfigMap, { timeout: 350 })).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
    message: expect.stringContaining('took longer than 350 ms') as string,
  })
  expect(world.host.monotonicMs()).toBe(350)
  const pages = world.client.listPages(ConfigMap, { timeout: 350 })
  for (let page = 0; page < 3; page += 1) {
    expect((await pages.next()).done).toBe(false)
    await world.host.sleep(1000)
  }
  await expect(pages.next()).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
})

test('reads a page with more items than a function can have arguments', async () => {
  const items = Array.from({ length: 200_000 }, () => ({}))
  const world = await serve(() => json({ metadata: {}, items }))
  expect(await world.client.listAll(ConfigMap)).toHaveLength(items.length)
})

test('reads a list as one page when its revision expires before the last page', async () => {
  const world = await serve(({ path }) => {
    if (path.includes('continue=')) return { status: 410 }
    const isWhole = path.includes('limit=0')
    const names = isWhole ? ['a', 'b'] : ['a']
    const items = names.map((name) => ({ metadata: { name } }))
    return json({ metadata: isWhole ? {} : { continue: 'more' }, items })
  })
  expect(await world.client.listAll(ConfigMap)).toHaveLength(2)
  await expect(all(world.client.list(ConfigMap))).rejects.toMatchObject({ code: 'API_EXPIRED' })
})

test('refuses a namespace that would change the path', async () => {
  const world = await serve(() => json({ metadata: {} }))
  const { client, paths } = world
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

test('creates a subresource below its object, with its own apiVersion and kind', async () => {
  let sent: unknown
  const world = await serve(async ({ body }) => {
    for await (const chunk of body) sent = JSON.parse(new TextDecoder().decode(chunk))
    return json({ metadata: {} })
  })
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' } }
  await world.client.create(Pod, binding as never, { subresource: 'binding' })
  expect(world.paths).toEqual(['POST /api/v1/namespaces/default/pods/p/binding'])
  expect(sent).toEqual(binding)
})
