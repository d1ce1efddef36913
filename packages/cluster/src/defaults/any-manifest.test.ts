import fc from 'fast-check'
import type { JsonObject, JsonValue } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import { decodeTyped, messageOf, planOf, type FieldPlan } from '../codec/index.ts'
import { builtinData } from '../data/index.ts'
import { applyBuiltinDefaults, prepareForCreate, prepareForUpdate } from './index.ts'

/** Chooses a number below a bound; the choices determine a manifest. */
type Choose = (bound: number) => number

function chooser(seed: number): Choose {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

/** Strings that are significant in some field, and empty and unusual ones. */
const texts = [
  '',
  'a',
  'x/y',
  'None',
  'Always',
  'Container',
  'ExternalName',
  'LoadBalancer',
  'RollingUpdate',
  'Local',
  'cpu',
  '__proto__',
  'constructor',
]

const samples: Readonly<Record<string, readonly JsonValue[]>> = {
  string: texts,
  bool: [true, false],
  int32: [0, 1, -1, 2_147_483_647],
  int64: [0, 1, -1, 9_223_372_036_854_775_807n],
  double: [0, 1.5],
  bytes: ['', 'YQ=='],
  quantity: ['1', '100m', '0', '-1', '1.0001', '1Ki'],
  intOrString: [0, 8080, '', 'http', '25%'],
  time: [null, '2024-01-01T00:00:00Z'],
  microTime: [null, '2024-01-01T00:00:00.000000Z'],
  duration: ['1s'],
  rawExtension: [null, {}, { a: 1 }],
  json: [null, 1, 'a', [], {}],
  list: [[], ['a']],
  schemaOrArray: [{ type: 'string' }, [{ type: 'string' }]],
  schemaOrBool: [true, false, { type: 'string' }],
  schemaOrStringArray: [{ type: 'string' }, ['a']],
}

function manifestOf(message: string, choose: Choose, depth = 0): JsonObject {
  const object: JsonObject = {}
  for (const field of planOf(message).fields) {
    if (field.name === 'kind' || field.name === 'apiVersion') continue
    // The upper levels are mostly present, so that the lower ones are reached.
    const choice = choose(depth < 4 ? 4 : 8)
    if (choice === 0) object[field.name] = null
    else if (choice === 1 || (choice === 2 && depth < 4)) {
      object[field.name] = fieldValue(field, choose, depth)
    }
  }
  return object
}

function fieldValue(field: FieldPlan, choose: Choose, depth: number): JsonValue {
  const items = Array.from({ length: choose(3) }, () => singleValue(field, choose, depth))
  if (field.shape === 'list') return items
  if (field.shape === 'single') return singleValue(field, choose, depth)
  return Object.fromEntries(items.map((item) => [texts[choose(texts.length)] ?? '', item]))
}

function singleValue({ form, message }: FieldPlan, choose: Choose, depth: number): JsonValue {
  if (form === 'message') return depth > 9 ? {} : manifestOf(message, choose, depth + 1)
  const values = samples[form] ?? [null]
  return structuredClone(values[choose(values.length)] ?? null)
}

/** Lists are never sent, and options have no defaults. */
const kinds = Object.entries(builtinData.proto().kinds)
  .flatMap(([apiVersion, byKind]) => Object.keys(byKind).map((kind) => ({ apiVersion, kind })))
  .filter(({ kind }) => !/(?:List|Options)$/.test(kind))
  .map((named) => {
    const { apiVersion } = named
    return { ...named, group: apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '' }
  })

const subresources = ['', 'status', 'resize', 'ephemeralcontainers', 'approval', 'finalize']

describe('any manifest that can be decoded', () => {
  it.each(kinds)('is defaulted and prepared without an exception: $apiVersion $kind', (named) => {
    const { apiVersion, kind } = named
    const message = messageOf(apiVersion, kind) ?? ''
    const decode = (seed: number): JsonObject => {
      const value = manifestOf(message, chooser(seed))
      const { object } = decodeTyped({ apiVersion, kind, value })
      applyBuiltinDefaults(apiVersion, kind, object)
      return object
    }
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (first, second) => {
        const old = decode(first)
        const now = '2024-01-01T00:00:00Z'
        prepareForCreate({ ...named, object: old, now, user: { username: 'jane' } })
        for (const subresource of subresources) {
          prepareForUpdate({ ...named, object: decode(second), old, now, subresource })
        }
        expect(old['kind']).toBe(kind)
      }),
      { numRuns: 15 },
    )
  })
})
