/** `x-kubernetes-embedded-resource`: the value must be a whole object with a valid identity. */
import { invalid, required, type FieldError } from './field-error.ts'
import { isJsonObject, schemaOfField, type JsonObject } from './json-value.ts'
import { fieldPath } from './validate/list-uniqueness.ts'
import { dns1035LabelProblems } from './name-rules.ts'
import { objectMetaProblems } from './object-meta.ts'
import type { JsonValue, StructuralSchema } from './structural-schema.ts'

/** Checks every embedded object below the value. */
export function embeddedProblems(
  schema: StructuralSchema | undefined,
  value: JsonValue,
  path: string,
): FieldError[] {
  if (schema === undefined) return []
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => embeddedProblems(schema.items, item, `${path}[${index}]`))
  }
  if (!isJsonObject(value)) return []
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  return [
    ...(isEmbedded ? resourceProblems(value, path) : []),
    ...Object.entries(value).flatMap(([key, item]) =>
      embeddedProblems(schemaOfField(schema, key), item, fieldPath(schema, path, key)),
    ),
  ]
}

function resourceProblems(object: JsonObject, path: string): FieldError[] {
  const at = (key: string) => (path === '' ? key : `${path}.${key}`)
  const { apiVersion, kind, metadata } = object
  return [
    ...(apiVersion === undefined ? [required(at('apiVersion'))] : []),
    ...(kind === undefined ? [required(at('kind'))] : []),
    ...(apiVersion === undefined
      ? []
      : textProblem(at('apiVersion'), apiVersion, apiVersionProblem)),
    ...(kind === undefined ? [] : textProblem(at('kind'), kind, kindProblem)),
    ...(metadata === undefined ? [] : objectMetaProblems(metadata, at('metadata'))),
  ]
}

function textProblem(
  field: string,
  value: JsonValue,
  problemOf: (text: string) => string | undefined,
): FieldError[] {
  if (typeof value !== 'string') return [invalid(field, value, 'must be a string')]
  const problem = value === '' ? 'must not be empty' : problemOf(value)
  return problem === undefined ? [] : [invalid(field, value, problem)]
}

function apiVersionProblem(text: string): string | undefined {
  return text.split('/').length > 2 ? `unexpected GroupVersion string: ${text}` : undefined
}

function kindProblem(text: string): string | undefined {
  const problems = dns1035LabelProblems(text.toLowerCase())
  if (problems.length === 0) return undefined
  return `may have mixed case, but should otherwise match: ${problems.join(',')}`
}
