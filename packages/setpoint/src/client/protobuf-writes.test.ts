import { expect, test } from 'vitest'
import { type ServerRequest, type ServerResponse, readBytes, virtualHost } from '../host/index.ts'
import { ConfigMap, metadataOf } from '../kinds/index.ts'
import { Client, fixedCredentials } from './index.ts'
import { createInProtobuf } from './protobuf-writes.ts'

/** A server with the given responses, and a client of it. */
async function serve(answer: (request: ServerRequest) => ServerResponse) {
  const host = virtualHost({ seed: 1 })
  const types: (string | undefined)[] = []
  const server = await host.listen({
    handle: async (request) => {
      types.push(request.headers['content-type'])
      await readBytes(request.body, 1000)
      return answer(request)
    },
  })
  const credentials = fixedCredentials({})
  const connection = { server: server.url, namespace: 'default', name: 'test', credentials }
  return { client: new Client(host, connection), types }
}

const object = { metadata: { name: 'a', namespace: 'x' }, data: { k: 'v' } }
const type = 'application/vnd.kubernetes.protobuf'

test('uses JSON after a server refused protobuf once', async () => {
  const world = await serve(() => ({ status: 415 }))
  const create = (): Promise<unknown> =>
    createInProtobuf(world.client, ConfigMap, { object, options: {} })
  expect(await create()).toBeUndefined()
  expect(await create()).toBeUndefined()
  expect(world.types).toEqual([type])
})

test('reads a response in JSON too', async () => {
  const stored = { apiVersion: 'v1', kind: 'ConfigMap', ...object }
  const world = await serve(() => ({ status: 201, body: JSON.stringify(stored) }))
  expect(await createInProtobuf(world.client, ConfigMap, { object, options: {} })).toEqual(stored)
})

test('sends nothing that protobuf cannot express', async () => {
  const world = await serve(() => ({ status: 500 }))
  const created = (kind: Parameters<typeof createInProtobuf>[1], extra: object): Promise<unknown> =>
    createInProtobuf(world.client, kind, { object: { ...object, ...extra }, options: {} })
  expect(await created(ConfigMap, { unknown: true })).toBeUndefined()
  expect(await created({ ...ConfigMap, protobuf: undefined }, {})).toBeUndefined()
  expect(await created(metadataOf(ConfigMap), {})).toBeUndefined()
  expect(world.types).toEqual([])
})

test('throws the same error for a refusal as in JSON', async () => {
  const world = await serve(() => ({
    status: 409,
    body: '{"kind":"Status","reason":"AlreadyExists","message":"taken"}',
  }))
  await expect(
    createInProtobuf(world.client, ConfigMap, { object, options: {} }),
  ).rejects.toMatchObject({
    code: 'API_ALREADY_EXISTS',
    message: 'create of ConfigMap x/a was refused: taken',
  })
})
