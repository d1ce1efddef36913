import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { builtinData } from '../../packages/cluster/src/data/index.ts'
import type { Choices } from './choices.ts'

const texts = [
  '',
  'a',
  'A',
  'a-b',
  'a.b',
  'a/b',
  'a_b',
  '-a',
  'a b',
  'é',
  '\u0000',
  'x'.repeat(64),
  'x'.repeat(254),
  'default',
  '{ns}',
  'true',
  '1',
  '-1',
  '10%',
  '101%',
  '1Gi',
  '100m',
  '1.5',
  '1e3',
  '0x1',
  'null',
  '*',
  '/',
  '/a',
  '../a',
  '10.0.0.1',
  '10.96.0.300',
  '::1',
  '10.0.0.0/8',
  '2020-01-01T00:00:00Z',
  '2020-01-01T00:00:00.000000Z',
  'example.com/a',
  'kubernetes.io/a',
  'http://a',
  'Always',
  'Never',
  'TCP',
  'ReadWriteOnce',
] as const

const integers = [
  0, -1, 1, 2, 3, 10, 80, 100, 101, 255, 256, 1000, 30_000, 65_535, 65_536, 100_000, 2_147_483_647,
  2_147_483_648, -2_147_483_648, 9_007_199_254_740_991,
] as const

/** A text that fields may refuse. */
export function randomText(choices: Choices): string {
  return choices.one(texts)
}

/** A value of any type. */
export function randomValue(choices: Choices, depth = 2): JsonValue {
  const type = choices.below(depth === 0 ? 5 : 7)
  if (type === 0) return null
  if (type === 1) return choices.isLikely(0.5)
  if (type === 2) return choices.one(integers)
  if (type === 3) return choices.one([0.5, -1.5, 1e10, 1e300])
  if (type === 4) return randomText(choices)
  if (type === 5) return choices.isLikely(0.4) ? [] : [randomValue(choices, depth - 1)]
  return choices.isLikely(0.4) ? {} : { [choices.one(['a', 'name', 'x'])]: randomValue(choices, 0) }
}

/** A value of the type that a schema describes, with a few random fields. */
export function valueOfSchema(choices: Choices, schema: JsonObject, depth = 3): JsonValue {
  const { ref, type } = schema
  if (typeof ref === 'string') {
    const named = builtinData.schemas().schemas[ref]
    return named === undefined ? randomText(choices) : valueOfSchema(choices, named, depth)
  }
  const options = schema['enum']
  if (Array.isArray(options) && options.length > 0 && choices.isLikely(0.9)) {
    return choices.one(options)
  }
  if (type === 'boolean') return choices.isLikely(0.5)
  if (type === 'integer' || type === 'number') return choices.one(integers)
  if (type === 'array') return listOfSchema(choices, schema, depth)
  if (type === 'object') return objectOfSchema(choices, schema, depth)
  if (schema['format'] === 'int-or-string') {
    return choices.isLikely(0.5) ? choices.one(integers) : randomText(choices)
  }
  return randomText(choices)
}

function listOfSchema(choices: Choices, schema: JsonObject, depth: number): JsonValue {
  if (depth === 0 || !isJsonObject(schema['items'])) return []
  const items = schema['items']
  const count = choices.one([0, 1, 1, 1, 2])
  return Array.from({ length: count }, () => valueOfSchema(choices, items, depth - 1))
}

function objectOfSchema(choices: Choices, schema: JsonObject, depth: number): JsonValue {
  const values = schema['additionalProperties']
  if (isJsonObject(values)) {
    if (depth === 0 || choices.isLikely(0.2)) return {}
    return { [randomText(choices)]: valueOfSchema(choices, values, depth - 1) }
  }
  const properties = schema['properties']
  if (!isJsonObject(properties)) return choices.isLikely(0.5) ? {} : { a: randomText(choices) }
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const chosen = new Set(depth === 0 ? [] : choices.some(Object.keys(properties), 2))
  for (const name of required) {
    if (typeof name === 'string' && choices.isLikely(0.85)) chosen.add(name)
  }
  return Object.fromEntries(
    [...chosen].map((name) => [
      name,
      valueOfSchema(choices, properties[name] as JsonObject, Math.max(0, depth - 1)),
    ]),
  )
}
