/** The check of one schema by a server when a CRD is written. */
import { defaultProblems } from './default-rules.ts'
import { forbidden, invalid, invalidPrinted, type FieldError } from '../field-error.ts'
import { keywordProblems } from '../validate/keyword-rules.ts'
import { unreadableKeyword } from './raw-schema.ts'
import { isZero, structuralProblems } from './structural-rules.ts'
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'
import { schemaWithoutNulls } from '../without-nulls.ts'

/** How the schema is used. */
export interface SchemaCheckOptions {
  /** The version has a status subresource, which restricts the root of the schema. */
  readonly hasStatusSubresource?: boolean
  /** How errors print a schema; as JSON by default. */
  readonly print?: Pick<CrdPrinter, 'schema'>
}

/** How errors print parts of a CRD. A server prints them as Go does, which a production pod does not need. */
export interface CrdPrinter {
  schema(schema: StructuralSchema): string
  versions(versions: readonly object[]): string
}

export const jsonPrinter: CrdPrinter = { schema: JSON.stringify, versions: JSON.stringify }

/**
 * All reasons for which a server would refuse the schema of a CRD's version: forbidden keywords,
 * structural rules, invalid defaults, list keys, the shape of CEL rules. Empty when it is valid.
 * `path` is the place of the schema (`spec.validation.openAPIV3Schema` for a server).
 */
export function checkStructuralSchema(
  given: StructuralSchema,
  path: string,
  { hasStatusSubresource = false, print = jsonPrinter }: SchemaCheckOptions = {},
): FieldError[] {
  const schema = schemaWithoutNulls(given)
  const errors = hasStatusSubresource ? statusRootProblems(schema, path, print) : []
  if (schema.nullable === true) {
    errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'))
  }
  const unreadable = unreadableKeyword(schema)
  if (unreadable === undefined) {
    const structural = structuralProblems(schema, path)
    errors.push(...(structural.length > 0 ? structural : defaultProblems(schema, path)))
  }
  errors.push(...keywordProblems(schema, path))
  if (errors.length === 0 && unreadable !== undefined) errors.push(invalid(path, '', unreadable))
  return errors
}

/** In the order of the server's type: Go's field name, and its keyword. */
const forbiddenAtStatusRoot: readonly string[] = [
  'id',
  '$schema',
  '$ref',
  'nullable',
  'default',
  'enum',
  'maxProperties',
  'minProperties',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'additionalProperties',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
]

/**
 * Keywords for which Go cannot distinguish absent from empty; all others count as soon as they are
 * present.
 */
const plainKeywords: ReadonlySet<string> = new Set([
  'id',
  '$schema',
  'nullable',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
])

const allowedAtStatusRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations'

/**
 * The status is validated separately, so no rule at the root may refer to spec and status together.
 */
function statusRootProblems(
  schema: StructuralSchema,
  path: string,
  print: Pick<CrdPrinter, 'schema'>,
): FieldError[] {
  const values = schema as unknown as Readonly<Record<string, JsonValue>>
  const isUsed = (keyword: string) =>
    plainKeywords.has(keyword) ? !isZero(values[keyword]) : values[keyword] !== undefined
  const isBeforeType = ['id', '$schema', '$ref'].some(isUsed)
  if (schema.type !== undefined && schema.type !== 'object' && !isBeforeType) {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    return [invalid(`${path}.type`, schema.type, detail)]
  }
  if (!forbiddenAtStatusRoot.some(isUsed)) return []
  const detail = `only [${allowedAtStatusRoot}] fields are allowed at the root of the schema if the status subresource is enabled`
  return [invalidPrinted(path, print.schema(schema), detail)]
}
