import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyDefaults,
  checkStructuralSchema,
  isJsonObject,
  pruneUnknown,
  validateValue,
  type JsonObject,
  type JsonValue,
  type StructuralSchema,
} from './index.ts'

// Properties of random schemas and values.

const names = ['a', 'b', 'c', 'd', 'constructor']
const scalarSchema: fc.Arbitrary<StructuralSchema> = fc.constantFrom<StructuralSchema>(
  { type: 'string' },
  { type: 'string', default: 'x' },
  { type: 'string', nullable: true, default: 'x' },
  { type: 'integer', default: 0 },
  { type: 'boolean', nullable: true },
  { 'x-kubernetes-int-or-string': true, default: '50%' },
  { 'x-kubernetes-preserve-unknown-fields': true },
)

const { schema: anySchema } = fc.letrec<{
  schema: StructuralSchema
  properties: Record<string, StructuralSchema>
}>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalarSchema,
    tie('properties').map((properties): StructuralSchema => ({ type: 'object', properties })),
    tie('properties').map((properties): StructuralSchema => ({
      type: 'object',
      properties,
      default: {},
    })),
    tie('properties').map((properties): StructuralSchema => ({
      type: 'object',
      properties,
      'x-kubernetes-preserve-unknown-fields': true,
    })),
    tie('schema').map((items): StructuralSchema => ({ type: 'array', items })),
    tie('schema').map((values): StructuralSchema => ({
      type: 'object',
      additionalProperties: values,
    })),
  ),
  properties: fc.dictionary(fc.constantFrom(...names), tie('schema'), { maxKeys: 4 }),
}))

const rootSchema = fc
  .dictionary(fc.constantFrom(...names), anySchema, { maxKeys: 4 })
  .map((properties): StructuralSchema => ({ type: 'object', properties }))

const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 0, 1.5, 'x', ''),
    fc.dictionary(fc.constantFrom(...names, 'unknown'), tie('value'), { maxKeys: 4 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}))

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze)
    Object.freeze(value)
  }
  return value
}

function forAll(check: (schema: StructuralSchema, value: JsonValue) => void): void {
  fc.assert(
    fc.property(rootSchema, anyValue, (schema, value) =>
      check(deepFreeze(schema), deepFreeze(value)),
    ),
    { numRuns: 500 },
  )
}

test('generates random schemas that a server accepts', () => {
  fc.assert(
    fc.property(rootSchema, (schema) => {
      expect(checkStructuralSchema(schema, 'schema')).toEqual([])
    }),
  )
})

test('returns the same value when pruning twice', () => {
  forAll((schema, value) => {
    const { value: once } = pruneUnknown(schema, value)
    expect(pruneUnknown(schema, once)).toEqual({ value: once, prunedPaths: [] })
    expect(pruneUnknown(schema, once).value).toBe(once)
  })
})

test('lists a path exactly when pruning changes something', () => {
  forAll((schema, value) => {
    const { value: pruned, prunedPaths } = pruneUnknown(schema, value)
    expect(prunedPaths.length > 0).toBe(pruned !== value)
  })
})

test('returns the same value when defaulting twice', () => {
  forAll((schema, value) => {
    const once = applyDefaults(schema, value)
    expect(applyDefaults(schema, once)).toBe(once)
  })
})

/** Whether everything that is not null in `before` is unchanged in `after`. */
function isKept(before: JsonValue, after: JsonValue | undefined): boolean {
  if (before === null) return true
  if (Array.isArray(before)) {
    return Array.isArray(after) && before.every((item, index) => isKept(item, after[index]))
  }
  if (!isJsonObject(before)) return before === after
  return (
    isJsonObject(after) &&
    Object.entries(before).every(
      ([key, item]) => item === null || (Object.hasOwn(after, key) && isKept(item, after[key])),
    )
  )
}

test('never changes a given value that is not null when defaulting', () => {
  forAll((schema, value) => {
    expect(isKept(value, applyDefaults(schema, value))).toBe(true)
  })
})

test('sets every field with a default', () => {
  const withRequired = rootSchema.map((schema): StructuralSchema => ({
    ...schema,
    required: Object.keys(schema.properties ?? {}),
  }))
  fc.assert(
    fc.property(
      withRequired,
      fc.dictionary(fc.constantFrom(...names), anyValue),
      (schema, value) => {
        const errors = validateValue(schema, applyDefaults(schema, value))
        const missing = errors.filter(({ type, field }) => {
          const property = schema.properties?.[field]
          return type === 'FieldValueRequired' && property?.default !== undefined
        })
        expect(missing).toEqual([])
      },
    ),
  )
})

test('finds the same problems in every validation', () => {
  forAll((schema, value) => {
    expect(validateValue(schema, value)).toEqual(validateValue(schema, value))
  })
})

/** The schema with every unused keyword set to null, on all levels. */
function withNulls(schema: StructuralSchema): StructuralSchema {
  const keywords =
    'items properties additionalProperties enum required pattern format nullable default'
  const more = 'anyOf allOf oneOf not minimum maxLength x-kubernetes-list-type maxItems'
  const nulls = Object.fromEntries(`${keywords} ${more}`.split(' ').map((key) => [key, null]))
  const { properties, items, additionalProperties } = schema
  return {
    ...nulls,
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, child]) => [key, withNulls(child)]),
      ),
    }),
    ...(items && { items: withNulls(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: withNulls(additionalProperties),
    }),
  }
}

test('treats a null keyword as absent', () => {
  forAll((schema, value) => {
    const spelled = deepFreeze(withNulls(schema))
    expect(pruneUnknown(spelled, value)).toEqual(pruneUnknown(schema, value))
    expect(applyDefaults(spelled, value)).toEqual(applyDefaults(schema, value))
    expect(validateValue(spelled, value)).toEqual(validateValue(schema, value))
    expect(checkStructuralSchema(spelled, 'schema')).toEqual([])
  })
})

test('shares parts that pruning and defaulting do not change with the input', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      left: { type: 'object', properties: { a: { type: 'string' } } },
      right: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
    },
  }
  const value = { left: { a: 'y' }, right: {}, extra: 1 } satisfies JsonObject
  const pruned = pruneUnknown(schema, value).value as JsonObject
  const defaulted = applyDefaults(schema, pruned) as JsonObject
  expect(defaulted).toEqual({ left: { a: 'y' }, right: { a: 'x' } })
  expect(defaulted['left']).toBe(value.left)
  expect(pruned['right']).toBe(value.right)
  expect(value).toEqual({ left: { a: 'y' }, right: {}, extra: 1 })
})
