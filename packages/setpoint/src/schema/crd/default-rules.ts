/** A default must be pruned, and valid by its schema. */
import { embeddedProblems } from '../embedded-resource.ts'
import { invalid, type FieldError } from '../field-error.ts'
import { jsonEquals } from '../json-value.ts'
import { objectFields, pruneUnknown } from '../prune-unknown-fields.ts'
import { ValueValidation } from '../validate/value-validation.ts'
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'

interface Scope {
  readonly path: string
  /** The object that contains the default: the whole resource, or the nearest embedded one. */
  readonly resource: StructuralSchema
  /** Builds that object around a value at this place. */
  readonly surround: (value: JsonValue) => JsonValue
  readonly isInsideMeta: boolean
}

/** The problems of all defaults in the schema of a whole object. */
export function defaultProblems(schema: StructuralSchema, path: string): FieldError[] {
  const root: StructuralSchema = { ...schema, 'x-kubernetes-embedded-resource': true }
  return nodeProblems(root, { path, resource: root, surround: withIdentity, isInsideMeta: false })
}

function withIdentity(value: JsonValue): JsonValue {
  return {
    kind: 'Validation',
    apiVersion: 'validation/v1',
    ...(value as Record<string, JsonValue>),
  }
}

function nodeProblems(schema: StructuralSchema, outer: Scope): FieldError[] {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const scope: Scope = isEmbedded
    ? { path: outer.path, resource: schema, surround: withIdentity, isInsideMeta: false }
    : outer
  const { path, surround } = scope
  const { default: value, items, properties = {} } = schema
  const errors = value === undefined ? [] : valueProblems(schema, value, scope)
  if (items !== undefined) {
    const wrap = (item: JsonValue) => surround([item])
    errors.push(...nodeProblems(items, { ...scope, path: `${path}.items`, surround: wrap }))
  }
  for (const [key, property] of Object.entries(properties)) {
    const isInsideMeta = scope.isInsideMeta || (isEmbedded && objectFields.has(key))
    const wrap = (item: JsonValue) => surround({ [key]: item })
    const inner = { ...scope, path: `${path}.properties[${key}]`, surround: wrap, isInsideMeta }
    errors.push(...nodeProblems(property, inner))
  }
  return errors
}

function valueProblems(schema: StructuralSchema, value: JsonValue, scope: Scope): FieldError[] {
  const field = `${scope.path}.default`
  if (scope.isInsideMeta) {
    const problems = embeddedProblems(scope.resource, scope.surround(value), '')
    if (problems.length > 0) {
      return [invalid(field, value, `must result in valid metadata: ${oneLine(problems)}`)]
    }
    return keywordProblems(schema, value, field)
  }
  const isResourceRoot = schema['x-kubernetes-embedded-resource'] === true
  const isPruned = jsonEquals(pruneUnknown(schema, value, { isResourceRoot }).value, value)
  const errors = isPruned ? [] : [invalid(field, value, 'must not have unknown fields')]
  const embedded = embeddedProblems(schema, value, field)
  return [...errors, ...(embedded.length > 0 ? embedded : keywordProblems(schema, value, field))]
}

function keywordProblems(schema: StructuralSchema, value: JsonValue, field: string): FieldError[] {
  const validation = new ValueValidation({ prefix: field, isForDefaults: true })
  validation.check(schema, value, '')
  return validation.issues.map((issue) => issue.error)
}

function oneLine(errors: readonly FieldError[]): string {
  const lines = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))]
  return lines.length === 1 ? (lines[0] ?? '') : `[${lines.join(', ')}]`
}
