import { type JsonValue, type StructuralSchema, validateValue } from 'setpoint/schema'

/**
 * A readable value that a schema accepts: required fields without defaults. For a schema that is
 * too complex the value is invalid, and `setpoint generate` reports it as a problem of the sample.
 */
export function sampleValue(schema: StructuralSchema, name: string): JsonValue {
  const { example, nullable } = schema
  if (example !== undefined) return example
  const [first] = (schema.enum ?? []).filter((value) => value !== null)
  if (first !== undefined) return first
  const [branch] = schema.oneOf ?? schema.anyOf ?? []
  if (schema['x-kubernetes-int-or-string'] === true) return sampleIntOrText(schema, name)
  if (branch !== undefined) return sampleValue(inBranch(schema, branch), name)
  switch (schema.type) {
    case 'object':
      return sampleObject(schema)
    case 'array':
      return sampleList(schema, name)
    case 'string':
      return sampleText(schema, name)
    case 'integer':
    case 'number':
      return sampleNumber(schema, name)
    case 'boolean':
      return true
    default:
      return nullable === true ? null : {}
  }
}

/** The schema with its first alternative merged into it. */
function inBranch(
  { oneOf: _oneOf, anyOf: _anyOf, ...schema }: StructuralSchema,
  branch: StructuralSchema,
): StructuralSchema {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, { ...field, ...branch.properties?.[name] }] as const,
  )
  return {
    ...schema,
    ...branch,
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    required: [...(schema.required ?? []), ...(branch.required ?? [])],
  }
}

function sampleObject(schema: StructuralSchema): JsonValue {
  const properties = Object.entries(schema.properties ?? {})
  const { required = [], minProperties = 0, additionalProperties } = schema
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const sample: Record<string, JsonValue> = isEmbedded
    ? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'example' } }
    : {}
  const add = (entries: readonly (readonly [string, StructuralSchema])[]): void => {
    for (const [name, field] of entries) sample[name] ??= sampleValue(field, name)
  }
  const isRequired = (name: string): boolean => required.includes(name)
  add(properties.filter(([name, field]) => isRequired(name) && field.default === undefined))
  const missing = minProperties - Object.keys(sample).length
  if (missing <= 0) return sample
  const others = properties.filter(([name]) => sample[name] === undefined)
  add(others.slice(0, missing))
  if (typeof additionalProperties !== 'object') return sample
  for (let count = 1; Object.keys(sample).length < minProperties; count += 1) {
    add([[`key${count}`, additionalProperties]])
  }
  return sample
}

/** The minimum of items; they differ, because many lists require unique items. */
function sampleList({ items = {}, minItems = 0 }: StructuralSchema, name: string): JsonValue {
  const item = sampleValue(items, name.replace(/s$/, ''))
  return Array.from({ length: minItems }, (_, index) => varied(items, item, index))
}

function varied(schema: StructuralSchema, value: JsonValue, index: number): JsonValue {
  if (index === 0) return value
  if (schema.enum !== undefined) return schema.enum[index % schema.enum.length] ?? value
  if (typeof value === 'number') return value + index * (schema.multipleOf ?? 1)
  if (typeof value === 'string') {
    const other = `${value}-${index + 1}`
    return validateValue(schema, other).length === 0 ? other : value
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(
    ([name, each]) => [name, varied(schema.properties?.[name] ?? {}, each, index)] as const,
  )
  return Object.fromEntries(entries)
}

/** Usual values by field name, which are tried first. */
const textsByName: readonly (readonly [RegExp, string])[] = [
  [/image$/i, 'nginx'],
  [/schedule|cron/i, '*/5 * * * *'],
  [/email/i, 'someone@example.com'],
  [/ur[il]$|endpoint/i, 'https://example.com/'],
  [/host|domain/i, 'example.com'],
  [/size|storage|memory|capacity/i, '1Gi'],
  [/cpu/i, '500m'],
  [/timeout|interval|duration|period/i, '30s'],
  [/version/i, '1.0.0'],
]

/** Texts that match common patterns and formats. */
const usualTexts = [
  ['Example', 'a', '1', '1.0', '1.0.0', 'v1', 'v1.0.0', '30s', '1Gi', '500m', '25%'],
  ['example.com', 'https://example.com/', 'someone@example.com', '/example', '*/5 * * * *'],
  ['10.0.0.1', '::1', '10.0.0.0/8', 'ZXhhbXBsZQ==', '2026-01-02', '2026-01-02T03:04:05Z'],
  ['123e4567-e89b-42d3-a456-426614174000', 'true', 'EXAMPLE', '8080'],
].flat()

function fittingByName(schema: StructuralSchema, name: string): string[] {
  return textsByName
    .filter(([pattern, text]) => pattern.test(name) && validateValue(schema, text).length === 0)
    .map(([, text]) => text)
}

/** Quantities of memory and CPU are texts, other int-or-string fields are numbers. */
function sampleIntOrText(schema: StructuralSchema, name: string): JsonValue {
  return fittingByName(schema, name)[0] ?? sampleNumber(schema, name)
}

function sampleText(schema: StructuralSchema, name: string): string {
  const named = fittingByName(schema, name)
  const padded = 'example'.padEnd(schema.minLength ?? 0, '-example').slice(0, schema.maxLength)
  const texts = [...named, 'example', padded, ...usualTexts]
  return texts.find((text) => validateValue(schema, text).length === 0) ?? 'example'
}

const numbersByName: readonly (readonly [RegExp, number])[] = [[/port$/i, 8080]]

function sampleNumber(schema: StructuralSchema, name: string): number {
  const { minimum, maximum, multipleOf = 1 } = schema
  const named = numbersByName.filter(([pattern]) => pattern.test(name)).map(([, each]) => each)
  const up = Math.ceil((minimum ?? 0) / multipleOf) * multipleOf
  const down = Math.floor((maximum ?? 0) / multipleOf) * multipleOf
  const middle = ((minimum ?? 0) + (maximum ?? 0)) / 2
  const numbers = [...named, 1, up, up + multipleOf, down, down - multipleOf, middle]
  return numbers.find((each) => validateValue(schema, each).length === 0) ?? 1
}
