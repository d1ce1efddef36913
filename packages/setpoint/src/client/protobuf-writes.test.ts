import { expect, test } from 'vitest'
import { type ServerRequest, type ServerResponse, readBytes, virtualHost } from '../host/index.ts'
import { ConfigMap, metadataOf } from '../kinds/index.ts'
import { Client, fixedCredentials } from './index.ts'
import { createInProtobuf } from './protobuf-writes.ts'

/** A server that answers as it is told, and a client of it. */
async function served(answer: (request: ServerRequest) => ServerResponse) {
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

test('a server that does not take protobuf is not asked twice', async () => {
  const it = await served(() => ({ status: 415 }))
  const create = (): Promise<unknown> =>
    createInProtobuf(it.client, ConfigMap, { object, options: {} })
  expect(await create()).toBeUndefined()
  expect(await create()).toBeUndefined()
  expect(it.types).toEqual([type])
})

test('an answer in JSON is read as well', async () => {
  const stored = { apiVersion: 'v1', kind: 'ConfigMap', ...object }
  const it = await served(() => ({ status: 201, body: JSON.stringify(stored) }))
  expect(await createInProtobuf(it.client, ConfigMap, { object, options: {} })).toEqual(stored)
})

test('what cannot be said in protobuf is not sent at all', async () => {
  const it = await served(() => ({ status: 500 }))
  const created = (kind: Parameters<typeof createInProtobuf>[1], extra: object): Promise<unknown> =>
    createInProtobuf(it.client, kind, { object: { ...object, ...extra }, options: {} })
  expect(await created(ConfigMap, { unknown: true })).toBeUndefined()
  expect(await created({ ...ConfigMap, protobuf: undefined }, {})).toBeUndefined()
  expect(await created(metadataOf(ConfigMap), {})).toBeUndefined()
  expect(it.types).toEqual([])
})

test('a refusal is the same error as in JSON', async () => {
  const it = await served(() => ({
    status: 409,
    body: '{"kind":"Status","reason":"AlreadyExists","message":"taken"}',
  }))
  await expect(
    createInProtobuf(it.client, ConfigMap, { object, options: {} }),
  ).rejects.toMatchObject({
    code: 'API_ALREADY_EXISTS',
    message: 'create of ConfigMap x/a was refused: taken',
  })
})
