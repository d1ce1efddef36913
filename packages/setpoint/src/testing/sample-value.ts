/** Random values of a schema, for property tests: each one is valid, and small enough to read. */
import { invariant, SetpointError } from '../errors/index.ts'
import type { SeededRandom } from '../host/index.ts'
import { validateValue, type JsonValue, type StructuralSchema } from '../schema/index.ts'

const triesMax = 50
const lettersOfText = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Texts that match common patterns and formats; tried before giving up. */
const knownTexts = [
  'a',
  'example',
  'example.com',
  'Example',
  '1',
  '1.2',
  '10.0.0.1',
  '::1',
  '10.0.0.0/8',
  '1Gi',
  '500m',
  '30s',
  '1h30m',
  '25%',
  'v1',
  '*/5 * * * *',
  'a@example.com',
  'https://example.com/',
  'YQ==',
  '2026-01-02',
  '2026-01-02T03:04:05Z',
  '123e4567-e89b-42d3-a456-426614174000',
]

/** One random value that the schema accepts; throws with the reason when it finds none. */
export function sampleValue(schema: StructuralSchema, random: SeededRandom): JsonValue {
  let problem = ''
  for (let attempt = 0; attempt < triesMax; attempt += 1) {
    const value = randomValue(schema, random)
    const [error] = validateValue(schema, value)
    if (error === undefined) return value
    problem = `${error.field}: ${error.message}`
  }
  throw new SetpointError('OBJECT_INVALID', `no sample of the schema could be made: ${problem}`, {
    hint: 'pass samples: random values cannot satisfy all patterns and combined keywords',
  })
}

function randomValue(schema: StructuralSchema, random: SeededRandom): JsonValue {
  if (schema.nullable === true && random.below(10) === 0) return null
  if (schema.enum !== undefined) return pick(schema.enum, random)
  const branches = schema.oneOf ?? schema.anyOf
  if (branches !== undefined) return randomValue(inBranch(schema, pick(branches, random)), random)
  if (schema['x-kubernetes-int-or-string'] === true) {
    return random.below(2) === 0 ? randomNumber(schema, random) : randomText(schema, random)
  }
  switch (schema.type) {
    case 'object':
      return randomObject(schema, random)
    case 'array':
      return randomArray(schema, random)
    case 'string':
      return randomText(schema, random)
    case 'integer':
    case 'number':
      return randomNumber(schema, random)
    case 'boolean':
      return random.below(2) === 0
    default:
      return pick<JsonValue>(['text', 7, true, { nested: ['x'] }], random)
  }
}

/** The schema of one branch: the fields of `oneOf` are merged into it. */
function inBranch(
  { oneOf: _oneOf, anyOf: _anyOf, ...schema }: StructuralSchema,
  branch: StructuralSchema,
): StructuralSchema {
  const foreign = new Set((branch.not?.anyOf ?? []).flatMap((each) => each.required ?? []))
  if (schema.properties === undefined) return { ...schema, ...branch }
  const properties = Object.entries(schema.properties)
    .filter(([name]) => !foreign.has(name))
    .map(([name, field]) => [name, { ...field, ...branch.properties?.[name] }] as const)
  const required = [...(schema.required ?? []), ...(branch.required ?? [])]
  return { ...schema, properties: Object.fromEntries(properties), required }
}

function randomObject(schema: StructuralSchema, random: SeededRandom): JsonValue {
  const result: Record<string, JsonValue> = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) === true || random.below(2) === 0) {
      result[name] = randomValue(field, random)
    }
  }
  if (typeof schema.additionalProperties === 'object') {
    for (let count = random.below(3); count > 0; count -= 1) {
      result[randomLetters(1 + random.below(5), random)] = randomValue(
        schema.additionalProperties,
        random,
      )
    }
  }
  return result
}

function randomArray(schema: StructuralSchema, random: SeededRandom): JsonValue {
  const least = schema.minItems ?? 0
  const most = Math.min(schema.maxItems ?? Infinity, least + 3)
  const length = least + random.below(most - least + 1)
  return Array.from({ length }, () => randomValue(schema.items ?? {}, random))
}

function randomText(schema: StructuralSchema, random: SeededRandom): string {
  const fitting = fittingTexts(schema)
  if (fitting.length > 0) return pick(fitting, random)
  const least = schema.minLength ?? 0
  const most = Math.min(schema.maxLength ?? Infinity, least + 8)
  return randomLetters(least + random.below(most - least + 1), random)
}

const knownFits = new WeakMap<StructuralSchema, readonly string[]>()

/** The known texts that a constrained schema accepts; empty when any letters are accepted. */
function fittingTexts(schema: StructuralSchema): readonly string[] {
  const known = knownFits.get(schema)
  if (known !== undefined) return known
  const keywords = [schema.pattern, schema.format, schema.allOf, schema.not]
  const isConstrained = keywords.some((keyword) => keyword !== undefined)
  const fitting = isConstrained
    ? knownTexts.filter((text) => validateValue(schema, text).length === 0)
    : []
  knownFits.set(schema, fitting)
  return fitting
}

function randomLetters(length: number, random: SeededRandom): string {
  return Array.from({ length }, () => pick([...lettersOfText], random)).join('')
}

function randomNumber(schema: StructuralSchema, random: SeededRandom): number {
  const step = schema.multipleOf ?? (schema.type === 'number' ? 0.5 : 1)
  const least = schema.minimum ?? Math.min(0, (schema.maximum ?? 0) - 100)
  const most = schema.maximum ?? least + 100
  const first = Math.ceil(least / step)
  const last = Math.max(first, Math.min(Math.floor(most / step), first + 100))
  return (first + random.below(last - first + 1)) * step
}

function pick<T>(values: readonly T[], random: SeededRandom): T {
  invariant(values.length > 0, 'there is nothing to pick from')
  return values[random.below(values.length)] as T
}
