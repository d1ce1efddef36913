/**
 * The stricter paths of `selectableFields` and of a rule's `fieldPath`: `.spec.color`,
 * `.spec['a.b']`. They name one field of the schema, have another parser than columns, and its
 * messages.
 */
import type { StructuralSchema } from './structural-schema.ts'

/** The field's canonical path and schema, or the server's message about the path. */
type SchemaFieldPath =
  | { readonly path: string; readonly schema: StructuralSchema; readonly problem?: undefined }
  | { readonly path?: undefined; readonly problem: string }

/** Follows a field path through a schema; `isDotted` refuses brackets, as selectable fields do. */
export function findSchemaField(
  schema: StructuralSchema,
  text: string,
  options: { readonly isDotted: boolean },
): SchemaFieldPath {
  const tokens = tokenize(text)
  let current = schema
  let path = ''
  while (tokens.length > 0) {
    const opening = tokens.shift()
    if (opening !== '.' && opening !== '[') {
      return { problem: `expected [ or . but got: ${opening ?? ''}` }
    }
    if (opening === '[' && options.isDotted) return { problem: 'array notation is not allowed' }
    const token = tokens.shift()
    if (token === undefined) return { problem: 'unexpected end of JSON path' }
    const name = opening === '.' ? token : unquote(token)
    if (name === undefined) return { problem: `expected single quoted string but got ${token}` }
    const next = childOf(current, name)
    if (next === undefined) return { problem: 'does not refer to a valid field' }
    current = next.schema
    path = next.isNamed ? (path === '' ? name : `${path}.${name}`) : `${path}[${name}]`
    if (opening === '.') continue
    const closing = tokens.shift()
    if (closing === undefined) return { problem: 'unexpected end of JSON path' }
    if (closing !== ']') return { problem: `expected ] but got ${closing}` }
  }
  return { path, schema: current }
}

/** Splits at `.`, `[` and `]`; text in single quotes stays together. */
function tokenize(text: string): string[] {
  return text.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gsu) ?? []
}

function unquote(token: string): string | undefined {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined
  return token.slice(1, -1).replace(/\\(.)/gsu, '$1')
}

function childOf(
  schema: StructuralSchema,
  name: string,
): { readonly schema: StructuralSchema; readonly isNamed: boolean } | undefined {
  const { properties, additionalProperties } = schema
  if (properties !== undefined) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    return property && { schema: property, isNamed: true }
  }
  return typeof additionalProperties === 'object'
    ? { schema: additionalProperties, isNamed: false }
    : undefined
}
