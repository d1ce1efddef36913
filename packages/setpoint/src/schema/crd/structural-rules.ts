/**
 * The rules of a structural schema: every value has one known type, and `allOf`, `anyOf`, `oneOf`
 * and `not` only narrow what is declared outside of them.
 */
import { forbidden, invalid, required, type FieldError } from '../field-error.ts'
import { compareText } from '../go/go-print.ts'
import { toGoRegExp } from '../go/go-reg-exp.ts'
import { jsonEquals } from '../json-value.ts'
import { completenessProblems } from './structural-completeness.ts'
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'

type Level = 'root' | 'item' | 'field'

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

/** All violations, in the server's order: sorted by field and text. */
export function structuralProblems(schema: StructuralSchema, path: string): FieldError[] {
  const errors = [...nodeProblems(schema, 'root', path), ...completenessProblems(schema, path)]
  const line = (error: FieldError) => `${error.field}: ${error.message}`
  return errors.sort((a, b) => compareText(line(a), line(b)))
}

function nodeProblems(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  return [
    ...childProblems(schema, level, path),
    ...extensionProblems(schema, path),
    ...logicProblems(schema, { path, isIntOrString: true }),
    ...typeProblems(schema, level, path),
    ...objectProblems(schema, level, path),
  ]
}

function childProblems(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  const { items, properties = {}, additionalProperties } = schema
  const errors: FieldError[] = []
  if (schema.type === 'array' && items === undefined) {
    errors.push(required(`${path}.items`, 'must be specified'))
  }
  if (items !== undefined) errors.push(...nodeProblems(items, 'item', `${path}.items`))
  for (const [key, property] of Object.entries(properties)) {
    errors.push(...nodeProblems(property, 'field', `${path}.properties[${key}]`))
  }
  if (additionalProperties === undefined) return errors
  const field = `${path}.additionalProperties`
  if (level === 'root') errors.push(forbidden(field, 'must not be used at the root'))
  if (typeof additionalProperties === 'object') {
    errors.push(...nodeProblems(additionalProperties, 'field', field))
  }
  return errors
}

function extensionProblems(schema: StructuralSchema, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return []
  const keywords = [
    'x-kubernetes-preserve-unknown-fields',
    'x-kubernetes-embedded-resource',
  ] as const
  return keywords
    .filter((keyword) => schema[keyword] === true)
    .map((keyword) =>
      invalid(`${path}.${keyword}`, true, 'must be false if x-kubernetes-int-or-string is true'),
    )
}

function typeProblems(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  const type = isZero(schema.type) ? undefined : schema.type
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const errors: FieldError[] = []
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(
      type === undefined ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail),
    )
  } else if (
    type === undefined &&
    schema['x-kubernetes-int-or-string'] !== true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  ) {
    errors.push(required(`${path}.type`, missingType[level]))
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set'
    errors.push(forbidden(`${path}.additionalProperties`, detail))
  }
  if (level === 'root' && type !== undefined && type !== 'object') {
    errors.push(invalid(`${path}.type`, type, 'must be object at the root'))
  }
  return errors
}

/** The three fields of every object may be declared, but not with another type. */
function objectProblems(schema: StructuralSchema, level: Level, path: string): FieldError[] {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const { properties = {} } = schema
  const errors: FieldError[] = []
  if (level === 'root' || isEmbedded) {
    for (const [key, expected] of Object.entries({
      kind: 'string',
      apiVersion: 'string',
      metadata: 'object',
    })) {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (property === undefined || property.type === expected) continue
      errors.push(
        invalid(`${path}.properties[${key}].type`, property.type ?? '', `must be ${expected}`),
      )
    }
  }
  const metadata = Object.hasOwn(properties, 'metadata') ? properties['metadata'] : undefined
  if (level === 'root' && metadata !== undefined && !isPlainMetadata(metadata)) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified'
    errors.push(forbidden(`${path}.properties[metadata]`, detail))
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (isEmbedded && !isOpen && Object.keys(properties).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(required(`${path}.properties`, detail))
  }
  return errors
}

/** `name` and `generateName` may be narrowed; the author controls no other metadata of the root. */
function isPlainMetadata(metadata: StructuralSchema): boolean {
  const { type: _type, default: _default, properties = {}, ...others } = metadata
  const areNamesOnly = Object.keys(properties).every(
    (key) => key === 'name' || key === 'generateName',
  )
  return (
    areNamesOnly &&
    Object.entries(others).every(
      ([key, value]) => !keptWhenEmpty.has(key) && isZero(value as JsonValue | undefined),
    )
  )
}

/** Keywords that a server distinguishes from absent ones although they are empty. */
const keptWhenEmpty: ReadonlySet<string> = new Set([
  'additionalProperties',
  'required',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
])

/** Go cannot distinguish an absent keyword from one with the zero value. */
export function isZero(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true
  return value === '' || value === false || (Array.isArray(value) && value.length === 0)
}

const intOrString: JsonValue = [{ type: 'integer' }, { type: 'string' }]

interface LogicScope {
  readonly path: string
  /** The one place where `anyOf: [integer, string]` may contain types. */
  readonly isIntOrString: boolean
}

/** The keywords below `allOf`, `anyOf`, `oneOf` and `not`, and the pattern next to them. */
function logicProblems(schema: StructuralSchema, scope: LogicScope): FieldError[] {
  const { path, isIntOrString } = scope
  const { anyOf = [], allOf = [], oneOf = [], not, pattern } = schema
  const errors: FieldError[] = []
  if (!isIntOrString || !jsonEquals(anyOf, intOrString)) {
    for (const [i, branch] of anyOf.entries())
      errors.push(...branchProblems(branch, `${path}.anyOf[${i}]`))
  }
  for (const [i, branch] of allOf.entries()) {
    const isFirst = isIntOrString && i === 0
    errors.push(...branchProblems(branch, `${path}.allOf[${i}]`, isFirst))
  }
  for (const [i, branch] of oneOf.entries())
    errors.push(...branchProblems(branch, `${path}.oneOf[${i}]`))
  if (not !== undefined) errors.push(...branchProblems(not, `${path}.not`))
  const translated = pattern === undefined || pattern === '' ? undefined : toGoRegExp(pattern)
  if (pattern !== undefined && translated?.problem !== undefined) {
    const detail = `must be a valid regular expression, but isn't: ${translated.problem}`
    errors.push(invalid(`${path}.pattern`, pattern, detail))
  }
  return errors
}

const branchForbids: readonly (readonly [keyof StructuralSchema, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]

const countsWhenEmpty: ReadonlySet<string> = new Set([
  'default',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
])

/** A schema inside a logical keyword may only narrow. */
function branchProblems(
  schema: StructuralSchema,
  path: string,
  mayBeIntOrString = false,
): FieldError[] {
  const { items, properties = {} } = schema
  const errors = logicProblems(schema, { path, isIntOrString: mayBeIntOrString })
  if (items !== undefined) errors.push(...branchProblems(items, `${path}.items`))
  for (const [key, property] of Object.entries(properties)) {
    errors.push(...branchProblems(property, `${path}.properties[${key}]`))
  }
  for (const [keyword, detail] of branchForbids) {
    const value = schema[keyword] as JsonValue | undefined
    const isUsed = countsWhenEmpty.has(keyword) ? value !== undefined : !isZero(value)
    if (isUsed) errors.push(forbidden(`${path}.${keyword}`, detail))
  }
  if (Object.hasOwn(properties, 'metadata')) {
    const detail = 'must not be specified in a nested context'
    errors.push(forbidden(`${path}.properties[metadata]`, detail))
  }
  return errors
}
