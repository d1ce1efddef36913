import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { JsonObject } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import {
  decodeObjectMeta,
  decodeProtobuf,
  decodeTyped,
  encodeJson,
  parseJson,
  fieldsSentEmpty,
  toStoredForm,
  TypedDecodeError,
} from '../index.ts'

function recorded<T>(name: string): T[] {
  return JSON.parse(
    readFileSync(new URL(`../testdata/${name}.json`, import.meta.url), 'utf8'),
  ) as T[]
}

interface KindOf {
  apiVersion: string
  kind: string
}

function decode(body: string): JsonObject {
  const value = parseJson(body).value as JsonObject
  return decodeTyped({ ...(value as unknown as KindOf), value }).object
}

describe('decodeTyped', () => {
  it.each(recorded<{ body: string; refusal: string | null }>('decoding'))(
    'answers $body like a real server: $refusal',
    ({ body, refusal }) => {
      if (refusal === null) expect(() => decode(body)).not.toThrow()
      else expect(() => decode(body)).toThrow(new TypedDecodeError(refusal))
    },
  )

  it('adds the fields that Go always prints and drops unknown fields, nulls and zero values', () => {
    const body = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","labels":{}},"foo":1,
      "spec":{"replicas":0,"paused":false,"minReadySeconds":0,"selector":null,
      "template":{"spec":{"volumes":null,"containers":[{"name":"c","command":[],"tty":false,"resources":null}]}}}}`
    expect(encodeJson(decode(body))).toBe(
      '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"a"},"spec":{"replicas":0,' +
        '"selector":null,"template":{"metadata":{},"spec":{"containers":[{"name":"c","resources":{}}]}},' +
        '"strategy":{}},"status":{}}',
    )
  })

  it('reports unknown fields by their paths, in document order', () => {
    const value = parseJson(
      `{"apiVersion":"v1","kind":"Pod","x":1,"spec":{"containers":[{"name":"a"},{"nam":"b"}],"y":{}}}`,
    ).value as JsonObject
    const { unknownFields } = decodeTyped({ apiVersion: 'v1', kind: 'Pod', value })
    expect(unknownFields).toEqual(['x', 'spec.containers[1].nam', 'spec.y'])
  })

  it('normalizes times, quantities and bytes', () => {
    const pod = decode(
      `{"apiVersion":"v1","kind":"Pod","metadata":{"creationTimestamp":"2026-01-01T02:00:00.9+02:00"},
        "spec":{"containers":[{"name":"c","resources":{"limits":{"memory":"1024Mi","cpu":0.5}}}]}}`,
    ) as unknown as { metadata: JsonObject; spec: { containers: { resources: JsonObject }[] } }
    expect(pod.metadata['creationTimestamp']).toBe('2026-01-01T00:00:00Z')
    expect(pod.spec.containers[0]?.resources['limits']).toEqual({ cpu: '500m', memory: '1Gi' })
    const secret = decode('{"apiVersion":"v1","kind":"Secret","data":{"b":"YR==","a":null}}')
    expect(secret['data']).toEqual({ a: '', b: 'YQ==' })
  })

  it('keeps all keys of maps', () => {
    const object = decode(
      '{"apiVersion":"v1","kind":"ConfigMap","data":{"__proto__":"a","constructor":"b","toString":"c"}}',
    )
    expect(Object.keys(object['data'] as JsonObject)).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ])
  })

  it('is idempotent on random pods, and never mutates them', () => {
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    const keys = ['name', 'image', 'command', 'env', 'tty', 'ports', 'foo', '__proto__']
    const container = fc.dictionary(fc.constantFrom(...keys), fc.oneof(scalar, fc.array(scalar)))
    fc.assert(
      fc.property(fc.array(container, { maxLength: 3 }), (containers) => {
        const value = { spec: { containers } } as JsonObject
        let once: JsonObject
        try {
          once = decodeTyped({ apiVersion: 'v1', kind: 'Pod', value }).object
        } catch (error) {
          expect(error).toBeInstanceOf(TypedDecodeError)
          return
        }
        const twice = decodeTyped({ apiVersion: 'v1', kind: 'Pod', value: once }).object
        expect(twice).toEqual(once)
      }),
      { numRuns: 300 },
    )
  })
})

describe('decodeObjectMeta', () => {
  it.each(recorded<{ metadata: JsonObject; refusal: string | null }>('object-meta'))(
    'answers $metadata of a custom resource like a real server: $refusal',
    ({ metadata, refusal }) => {
      const answer = (): string | null => {
        const { unknownFields } = decodeObjectMeta(metadata)
        const problems = unknownFields.map((field) => `unknown field "${field}"`).join(', ')
        return problems === '' ? null : `strict decoding error: ${problems}`
      }
      if (refusal === null || refusal.startsWith('strict')) expect(answer()).toBe(refusal)
      else expect(answer).toThrow(new TypedDecodeError(refusal))
    },
  )
})

describe('decodeProtobuf', () => {
  it.each(recorded<{ name: string; pb: string; json: JsonObject }>('protobuf'))(
    'decodes $name like its JSON',
    ({ pb, json }) => {
      const decoded = decodeProtobuf(Uint8Array.from(Buffer.from(pb, 'base64')))
      const { object } = decodeTyped(decoded)
      expect(encodeJson(object)).toBe(encodeJson(json))
    },
  )

  it('refuses bytes that are not protobuf, and truncated messages', () => {
    const [first] = recorded<{ pb: string }>('protobuf')
    const bytes = Uint8Array.from(Buffer.from(first?.pb ?? '', 'base64'))
    expect(() => decodeProtobuf(new TextEncoder().encode('{}'))).toThrow(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    )
    expect(() => decodeProtobuf(bytes.subarray(0, bytes.length - 20))).toThrow('unexpected EOF')
  })

  it('answers any bytes after the prefix with an object or its own error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const body = Uint8Array.from([0x6b, 0x38, 0x73, 0, ...bytes])
        try {
          decodeProtobuf(body, { apiVersion: 'v1', kind: 'ConfigMap' })
        } catch (error) {
          expect((error as Error).name).toMatch(
            /^(?:ProtobufError|ProtobufContentError|TypedDecodeError|JsonSyntaxError)$/,
          )
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('toStoredForm', () => {
  it('does not keep whether an always printed list was empty or missing, like protobuf', () => {
    const role = decode('{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","rules":[]}')
    expect(role['rules']).toEqual([])
    const stored = toStoredForm('rbac.authorization.k8s.io/v1', 'Role', role)
    expect(stored['rules']).toBeNull()
  })

  it("sorts added fields in Go's order", () => {
    const object = decode('{"apiVersion":"v1","kind":"ConfigMap","data":{"b":"1"}}')
    object['metadata'] = { labels: {}, name: 'x' }
    ;(object['data'] as JsonObject)['a'] = '2'
    object['immutable'] = true
    expect(encodeJson(toStoredForm('v1', 'ConfigMap', object))).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"},"immutable":true,"data":{"a":"2","b":"1"}}',
    )
  })
})

describe('lists and maps that were sent empty', () => {
  it('are not in the object, but recorded separately', () => {
    const object = decode(
      '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[],"tolerations":[],"nodeSelector":{},"dnsConfig":{"searches":[]}}}',
    )
    const spec = object['spec'] as JsonObject
    expect(spec).toEqual({ containers: [], dnsConfig: {} })
    expect(fieldsSentEmpty(spec)).toEqual({ tolerations: [], nodeSelector: {} })
    expect(fieldsSentEmpty(spec['dnsConfig'] as JsonObject)).toEqual({ searches: [] })
    expect(fieldsSentEmpty(object)).toBeUndefined()
    const root = decode('{"apiVersion":"v1","kind":"ConfigMap","binaryData":{}}')
    expect(fieldsSentEmpty(root)).toEqual({ binaryData: {} })
  })

  it('are distinguished where a missing and an empty list have different rules', () => {
    const rules = '{"scaleUp":{"policies":[]}}'
    const object = decode(
      `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","spec":{"behavior":${rules}}}`,
    )
    expect(object['spec']).toMatchObject({ behavior: { scaleUp: { policies: [] } } })
  })
})
