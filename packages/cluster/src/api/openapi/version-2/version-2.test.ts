import { readFileSync } from 'node:fs'
import { readBytes, virtualHost } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import { expect, test } from 'vitest'
import { createCluster } from '../../../cluster/index.ts'
import { encodeGnostic } from './encode-gnostic.ts'
import { structureDigests } from './testdata/structure-digests.ts'

const recorded = JSON.parse(
  readFileSync(new URL('testdata/real-digests.json', import.meta.url), 'utf8'),
) as Record<string, string>
const gears = JSON.parse(readFileSync(new URL('testdata/gears.json', import.meta.url), 'utf8')) as {
  definition: JsonObject
  definitions: JsonObject
  paths: JsonObject
}

async function createWorld() {
  const host = virtualHost({ seed: 'openapi 2' })
  const options = { host, workloads: 'off', auth: 'off', tls: 'off' } as const
  const cluster = await createCluster(options)
  const get = async (headers: Record<string, string> = {}) => {
    const request = { method: 'GET', url: `${cluster.url}/openapi/v2`, headers }
    const response = await host.request(request)
    const bytes = await readBytes(response.body, 10_000_000)
    return { status: response.status, headers: response.headers, bytes }
  }
  return {
    host,
    cluster,
    get,
    document: async () => JSON.parse(Buffer.from((await get()).bytes).toString()) as JsonObject,
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

test('has the structure of the document of a real server', async () => {
  await using world = await createWorld()
  expect(structureDigests(await world.document())).toEqual(recorded)
})

test('describes custom resources as old clients can read them', async () => {
  await using world = await createWorld()
  const url = `${world.cluster.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(gears.definition)
  await world.host.request({ method: 'POST', url, headers, body })
  await world.cluster.settle()
  const { definitions, paths } = (await world.document()) as {
    definitions: JsonObject
    paths: JsonObject
  }
  const own = {
    definitions: Object.fromEntries(
      Object.entries(definitions).filter(([name]) => name.startsWith('com.example.two')),
    ),
    paths: Object.fromEntries(
      Object.entries(paths).filter(([name]) => name.startsWith('/apis/two.example.com/')),
    ),
  }
  const { definition: _, ...real } = gears
  expect(structureDigests(own)).toEqual(structureDigests(real))
})

test('is sent in the encoding of gnostic on request, and not again while it is unchanged', async () => {
  await using world = await createWorld()
  const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
  const { headers, bytes } = await world.get({ accept })
  expect(headers['content-type']).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf')
  // Field 1 is the version of the format, field 2 the title and version of the API.
  expect(Buffer.from(bytes.subarray(0, 5)).toString('latin1')).toBe('\n\x032.0')
  expect(await world.get({ accept, 'if-none-match': headers['etag'] ?? '' })).toMatchObject({
    status: 304,
  })
  expect(await world.get({ accept: 'text/html' })).toMatchObject({ status: 406 })
})

test.each<[string, JsonObject, string]>([
  ['a text', { swagger: '2.0' }, '0a03322e30'],
  ['a message', { info: { title: 'a' } }, '12030a0161'],
  [
    'the path, an operation and a code',
    { paths: { '/a': { get: { responses: { 200: { description: 'OK' } } } } } },
    '421b12190a022f61121312114a0f0a0d0a0332303012060a040a024f4b',
  ],
  [
    'a definition with a type, a limit and an extension',
    { definitions: { a: { type: 'string', maxLength: 300, 'x-b': true } } },
    '4a260a240a0161121f58ac02b201080a06737472696e67fa010e0a03782d6212071205747275650a',
  ],
])('encodes %s', (_, document, hex) => {
  const bytes = encodeGnostic(document)
  expect(Buffer.from(bytes).toString('hex')).toBe(hex)
})
