/** The parts of one version of a CRD, or of all versions when they are equal. */
import { checkStructuralSchema, type CrdPrinter } from './check-structural-schema.ts'
import type { CrdPrinterColumn, CrdScale, CrdVersion } from './crd-manifest.ts'
import {
  duplicate,
  invalid,
  invalidPrinted,
  required,
  tooMany,
  type FieldError,
} from '../field-error.ts'
import { byteLength, goJson, isGoPrintable } from '../go/go-print.ts'
import { unreadableKeyword } from './raw-schema.ts'
import { findSchemaField } from '../schema-field-path.ts'
import type { StructuralSchema } from '../structural-schema.ts'
import { schemaWithoutNulls } from '../without-nulls.ts'

/** The parts that a server checks at the top when all versions have the same. */
export type VersionParts = Pick<
  CrdVersion,
  'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'
>

/** The names of those parts. */
export const versionParts = [
  'schema',
  'subresources',
  'additionalPrinterColumns',
  'selectableFields',
] as const satisfies readonly (keyof VersionParts)[]

/** The errors of the CEL rules in a schema at a path. */
export type RuleCheck = (schema: StructuralSchema, path: string) => readonly FieldError[]

/**
 * Where the parts are reported: below a version, or below `spec` under the server's older names.
 */
interface PartsPlace {
  readonly path: string
  readonly schemaField: 'schema' | 'validation'
  readonly hasStatusSubresource: boolean
  readonly print: CrdPrinter
  readonly checkRules: RuleCheck
}

/** The problems of schema, subresources, columns and selectable fields. */
export function partsProblems(parts: VersionParts, place: PartsPlace): FieldError[] {
  const { path, schemaField } = place
  const schema = parts.schema?.openAPIV3Schema
  const errors: FieldError[] = []
  if (schema !== undefined) {
    const schemaPath = `${path}.${schemaField}.openAPIV3Schema`
    errors.push(...checkStructuralSchema(schema, schemaPath, place))
    // Rules are compiled with the types of the schema.
    if (errors.length === 0)
      errors.push(...place.checkRules(schemaWithoutNulls(schema), schemaPath))
  }
  const scale = parts.subresources?.scale
  if (scale !== undefined) errors.push(...scaleProblems(scale, `${path}.subresources.scale`))
  for (const [index, column] of (parts.additionalPrinterColumns ?? []).entries()) {
    errors.push(...columnProblems(column, `${path}.additionalPrinterColumns[${index}]`))
  }
  const fields = parts.selectableFields ?? []
  if (fields.length === 0) return errors
  const field = `${path}.selectableFields`
  if (schema !== undefined) return [...errors, ...selectableProblems(fields, schema, field)]
  // A server has the fields at the version and the schema at the top, or the reverse, and does not
  // find it.
  const detail =
    schemaField === 'schema'
      ? 'may only be set when `version.schema.openAPIV3Schema` is not included'
      : 'may only be set when validations.schema is included'
  return [...errors, invalid(field, '', detail)]
}

/** The warning for clients of a deprecated version. */
export function deprecationProblems(version: CrdVersion, path: string): FieldError[] {
  const { deprecationWarning: text } = version
  if (text === undefined) return []
  const field = `${path}.deprecationWarning`
  const report = (detail: string) => invalidPrinted(field, goJson(text), detail)
  if (version.deprecated !== true) return [report('can only be set for deprecated versions')]
  const errors: FieldError[] = []
  if (byteLength(text) > 256) errors.push(report('must be <= 256 characters long'))
  if (text === '') errors.push(report('must not be an empty string'))
  let index = 0
  for (const character of text) {
    if (!isGoPrintable(character)) {
      const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`
      return [...errors, report(detail)]
    }
    index += byteLength(character)
  }
  return errors
}

function scaleProblems(scale: CrdScale, path: string): FieldError[] {
  const { specReplicasPath = '', statusReplicasPath = '' } = scale as Partial<CrdScale>
  const { labelSelectorPath = '' } = scale
  const errors = [
    ...scalePathProblems(`${path}.specReplicasPath`, specReplicasPath, '.spec'),
    ...scalePathProblems(`${path}.statusReplicasPath`, statusReplicasPath, '.status'),
  ]
  if (labelSelectorPath === '') return errors
  const field = `${path}.labelSelectorPath`
  if (!labelSelectorPath.startsWith('.')) {
    errors.push(invalid(field, labelSelectorPath, 'must be a simple json path starting with .'))
  } else if (!/^\.(?:spec|status)\./.test(labelSelectorPath)) {
    const detail = 'should be a json path under either .spec or .status'
    errors.push(invalidPrinted(field, goJson(labelSelectorPath), detail))
  }
  return errors
}

function scalePathProblems(field: string, text: string, parent: string): FieldError[] {
  if (text === '') return [required(field)]
  if (!text.startsWith('.')) {
    return [invalid(field, text, 'must be a simple json path starting with .')]
  }
  if (text.startsWith(`${parent}.`)) return []
  return [invalid(field, text, `should be a json path under ${parent}`)]
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

function columnProblems(column: CrdPrinterColumn, path: string): FieldError[] {
  const { name = '', type = '', jsonPath = '' } = column as Partial<CrdPrinterColumn>
  const { format = '' } = column
  const errors: FieldError[] = []
  if (name === '') errors.push(required(`${path}.name`))
  const oneOfTypes = `must be one of ${columnTypes.join(',')}`
  if (type === '') errors.push(required(`${path}.type`, oneOfTypes))
  else if (!columnTypes.includes(type)) errors.push(invalid(`${path}.type`, type, oneOfTypes))
  if (format !== '' && !columnFormats.includes(format)) {
    errors.push(invalid(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`))
  }
  if (jsonPath === '') errors.push(required(`${path}.JSONPath`))
  else if (!jsonPath.startsWith('.')) {
    const detail = 'must be a simple json path starting with .'
    errors.push(invalid(`${path}.JSONPath`, jsonPath, detail))
  }
  return errors
}

const selectableFieldsMax = 8
const selectableTypes = ['string', 'boolean', 'integer']

function selectableProblems(
  fields: readonly { readonly jsonPath?: string }[],
  schema: StructuralSchema,
  path: string,
): FieldError[] {
  if (unreadableKeyword(schema) !== undefined) return []
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const field = `${path}[${index}].jsonPath`
    if (jsonPath === '') {
      errors.push(required(field))
      continue
    }
    const found = findSchemaField(schema, jsonPath, { isDotted: true })
    if (found.problem !== undefined) {
      errors.push(invalid(field, jsonPath, `is an invalid path: ${found.problem}`))
      continue
    }
    if (/^metadata(?:\.|$)/.test(found.path)) {
      errors.push(invalid(field, jsonPath, 'must not point to fields in metadata'))
    }
    if (!selectableTypes.includes(found.schema.type ?? '')) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
      errors.push(invalid(field, jsonPath, detail))
    }
    if (seen.has(found.path)) errors.push(duplicate(field, jsonPath))
    seen.add(found.path)
  }
  if (seen.size > selectableFieldsMax) errors.push(tooMany(path, seen.size, selectableFieldsMax))
  return errors
}
