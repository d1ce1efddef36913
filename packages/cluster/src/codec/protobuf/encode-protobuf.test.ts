import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import { builtinData, type DiscoveredResource } from '../../data/index.ts'
import {
  decodeProtobuf,
  decodeTyped,
  encodeJson,
  encodeProtobuf,
  encodeWatchFrame,
  parseJson,
} from '../index.ts'
import { messageOf, planOf, type FieldPlan } from '../typed/type-plan.ts'

/** The answers of a real server in both encodings; bytes are stored as latin1. */
interface Recorded {
  readonly path?: string
  readonly watch?: string
  readonly json: string
  readonly protobuf: string
}

const recorded = gunzipSync(
  readFileSync(new URL('../testdata/protobuf-answers.jsonl.gz', import.meta.url)),
)
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

function objectOf(text: string): JsonObject {
  return parseJson(text).value as JsonObject
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

describe('encodeProtobuf', () => {
  it.each(recorded.filter(({ path }) => path !== undefined))(
    'encodes $path like a real server, byte for byte',
    ({ json, protobuf }) => {
      expect(latin1(encodeProtobuf(objectOf(json)))).toBe(protobuf)
    },
  )

  it('is compared with objects of every kind that can be listed and created', () => {
    const lists = recorded.map(({ json }) => json).filter((json) => !json.startsWith('{"type"'))
    const filled = lists
      .map(objectOf)
      .filter(({ items }) => Array.isArray(items) && items.length > 0)
    expect(filled.length).toBeGreaterThan(60)
  })

  it('encodes any kind and values so that they can be decoded', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        const decoded = decodeProtobuf(encodeProtobuf(object))
        expect(encodeJson(decodeTyped(decoded).object)).toBe(encodeJson(object))
      }),
      { numRuns: 300 },
    )
  })

  it('encodes strings of any length and alphabet', () => {
    for (const piece of ['a', 'é', '😀', 'ab😀', '\u0000']) {
      for (const length of [0, 1, 15, 16, 17, 48, 49, 127, 128, 5000, 20_000]) {
        const text = piece.repeat(length)
        const map = { apiVersion: 'v1', kind: 'ConfigMap', data: { text, after: 'x' } }
        expect(decodeProtobuf(encodeProtobuf(map)).value['data']).toEqual(map.data)
      }
    }
  })

  it('encodes integers up to the limits of 64 bits', () => {
    const { max, min } = { max: 9223372036854775807n, min: -9223372036854775808n }
    for (const revision of [0, 1, 127, 128, 2 ** 31, 2 ** 53 - 1, -1, -(2 ** 40), max, min]) {
      const object = { apiVersion: 'apps/v1', kind: 'ControllerRevision', revision }
      expect(decodeProtobuf(encodeProtobuf(object)).value['revision']).toBe(revision)
    }
  })

  it('has a message for every kind that a built-in resource answers with', () => {
    const { api, apis } = builtinData.discovery()
    const missing = [...api.items, ...apis.items].flatMap(({ metadata: { name }, versions }) =>
      versions.flatMap(({ version, resources }) =>
        resources
          .flatMap((resource) => answeredKinds(resource))
          .flatMap((answered) => {
            const own = name === undefined ? version : `${name}/${version}`
            const { group, version: of, kind } = answered
            const apiVersion = of === '' ? own : group === '' ? of : `${group}/${of}`
            return messageOf(apiVersion, kind) === undefined ? [`${apiVersion} ${kind}`] : []
          }),
      ),
    )
    expect(missing).toEqual([])
  })

  it('can be used after an object that it could not encode', () => {
    const nothing = { apiVersion: 'v1', kind: 'Nothing' }
    const map = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }
    const before = encodeProtobuf(map)
    expect(() => encodeProtobuf(nothing)).toThrow('v1 Nothing has no protobuf message')
    expect(encodeProtobuf(map)).toEqual(before)
  })
})

describe('encodeWatchFrame', () => {
  it.each(recorded.filter(({ watch }) => watch !== undefined))(
    'encodes the events of $watch like a real server, byte for byte',
    ({ json, protobuf }) => {
      const frames = json
        .trimEnd()
        .split('\n')
        .map((line) => objectOf(line) as { type: string; object: JsonObject })
        .map(({ type, object }) => latin1(encodeWatchFrame(type, object)))
      expect(frames.length).toBeGreaterThan(0)
      expect(frames.join('')).toBe(protobuf)
    },
  )
})

function answeredKinds({ responseKind, verbs, subresources = [] }: DiscoveredResource) {
  const list = { ...responseKind, kind: `${responseKind.kind}List` }
  return [
    responseKind,
    ...(verbs.includes('list') ? [list] : []),
    ...subresources.map((each) => each.responseKind),
  ]
}

/** Without lists of objects, and kinds whose JSON is not an object. */
const kindsTried = Object.entries(builtinData.proto().kinds).flatMap(([apiVersion, byKind]) =>
  Object.entries(byKind)
    .filter(([kind]) => !/^(?:List|WatchEvent|APIVersions)$|Options$/.test(kind))
    .map(([kind, message]) => ({ apiVersion, kind, message })),
)

/** Any object of any kind, as the server would print it. */
const anyObject = fc
  .tuple(fc.constantFrom(...kindsTried), fc.infiniteStream(fc.nat(999)))
  .map(([{ apiVersion, kind, message }, lots]) => {
    const draw = (below: number): number => Number(lots.next().value) % below
    const value = { ...filled(message, draw, 0), apiVersion, kind }
    return decodeTyped({ apiVersion, kind, value }).object
  })

type Draw = (below: number) => number

function filled(message: string, draw: Draw, depth: number): JsonObject {
  const object: JsonObject = {}
  for (const field of planOf(message).fields) {
    if (field.name === 'kind' || field.name === 'apiVersion') continue
    if (draw(depth + 1) > 1 || draw(3) === 0) continue
    const item = (): JsonValue => drawn(field, draw, depth + 1)
    if (field.shape === 'single') object[field.name] = item()
    else if (field.shape === 'list') object[field.name] = Array.from({ length: draw(3) + 1 }, item)
    else
      object[field.name] = Object.fromEntries(
        ['b', 'a', 'é'].slice(draw(3)).map((key) => [key, item()]),
      )
  }
  return object
}

const anyJson: readonly JsonValue[] = [{ b: [1, '<'], a: null }, {}, [1.5, true], 'x', 12]

function drawn({ form, message }: FieldPlan, draw: Draw, depth: number): JsonValue {
  const schema = message.replace(/Or[A-Za-z]+$/, '')
  const number = draw(1000)
  switch (form) {
    case 'string':
      return ['', 'text', 'é😀', 'x'.repeat(200)][number % 4] ?? ''
    case 'bool':
      return number % 2 === 0
    case 'int32':
    case 'int64':
      return [0, 1, -1, 2147483647, number][number % 5] ?? 0
    case 'double':
      return number / 8
    case 'bytes':
      return Buffer.from([number & 255, 0, 255].slice(number % 3)).toString('base64')
    case 'message':
      return depth > 7 ? {} : filled(message, draw, depth)
    case 'quantity':
      return ['0', '1500m', '1Gi', '12e6'][number % 4] ?? '0'
    case 'intOrString':
      return [0, 80, '10%', ''][number % 4] ?? 0
    case 'time':
      return ['2026-01-02T03:04:05Z', '1969-12-31T23:59:59Z', null][number % 3] ?? null
    case 'microTime':
      return ['2026-01-02T03:04:05.000006Z', null][number % 2] ?? null
    case 'duration':
      return ['0s', '1m30s', '1h0m0.5s'][number % 3] ?? '0s'
    case 'rawExtension':
      return [{ kind: 'A' }, null][number % 2] ?? null
    case 'json':
      return anyJson[number % anyJson.length] ?? null
    case 'list':
      return ['a', 'b'].slice(number % 2)
    case 'schemaOrBool':
      return number % 3 === 0 || depth > 7 ? number % 2 === 0 : filled(schema, draw, depth)
    case 'schemaOrArray':
      return number % 2 === 0 || depth > 7 ? [{ type: 'string' }, {}] : filled(schema, draw, depth)
    case 'schemaOrStringArray':
      return number % 2 === 0 || depth > 7 ? ['a', 'b'] : filled(schema, draw, depth)
  }
}
