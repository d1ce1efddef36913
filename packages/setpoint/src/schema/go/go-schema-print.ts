/**
 * Schemas and versions of a CRD as the server prints them in messages: its internal Go structs with
 * all fields in order.
 */
import { goJson } from './go-print.ts'
import { raw } from '../crd/raw-schema.ts'
import type { CrdScale, CrdVersion } from '../crd/crd-manifest.ts'
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'

type Print = (value: JsonValue) => string

const text = ['""', goJson] as const
const flag = ['false', goJson] as const
const pointer = ['null', goJson] as const
const schemaPointer = ['null', (value: JsonValue) => goSchemaJson(asSchema(value))] as const
const schemaList = [
  'null',
  (value: JsonValue) => list(value, (item) => goSchemaJson(asSchema(item))),
] as const
const schemaMap = [
  'null',
  (value: JsonValue) => map(value, (item) => goSchemaJson(asSchema(item))),
] as const

/** Go's name of each field, the keyword, the text for an absent one, and how to print others. */
const schemaFields: readonly (readonly [string, string, readonly [string, Print]])[] = [
  ['ID', 'id', text],
  ['Schema', '$schema', text],
  ['Ref', '$ref', pointer],
  ['Description', 'description', text],
  ['Type', 'type', text],
  ['Nullable', 'nullable', flag],
  ['Format', 'format', text],
  ['Title', 'title', text],
  ['Default', 'default', pointer],
  ['Maximum', 'maximum', pointer],
  ['ExclusiveMaximum', 'exclusiveMaximum', flag],
  ['Minimum', 'minimum', pointer],
  ['ExclusiveMinimum', 'exclusiveMinimum', flag],
  ['MaxLength', 'maxLength', pointer],
  ['MinLength', 'minLength', pointer],
  ['Pattern', 'pattern', text],
  ['MaxItems', 'maxItems', pointer],
  ['MinItems', 'minItems', pointer],
  ['UniqueItems', 'uniqueItems', flag],
  ['MultipleOf', 'multipleOf', pointer],
  ['Enum', 'enum', pointer],
  ['MaxProperties', 'maxProperties', pointer],
  ['MinProperties', 'minProperties', pointer],
  ['Required', 'required', pointer],
  ['Items', 'items', ['null', printItems]],
  ['AllOf', 'allOf', schemaList],
  ['OneOf', 'oneOf', schemaList],
  ['AnyOf', 'anyOf', schemaList],
  ['Not', 'not', schemaPointer],
  ['Properties', 'properties', schemaMap],
  ['AdditionalProperties', 'additionalProperties', ['null', printSchemaOrBool]],
  ['PatternProperties', 'patternProperties', schemaMap],
  ['Dependencies', 'dependencies', pointer],
  ['AdditionalItems', 'additionalItems', ['null', printSchemaOrBool]],
  ['Definitions', 'definitions', schemaMap],
  ['ExternalDocs', 'externalDocs', ['null', printExternalDocs]],
  ['Example', 'example', pointer],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', pointer],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', flag],
  ['XIntOrString', 'x-kubernetes-int-or-string', flag],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', pointer],
  ['XListType', 'x-kubernetes-list-type', pointer],
  ['XMapType', 'x-kubernetes-map-type', pointer],
  ['XValidations', 'x-kubernetes-validations', ['null', (value) => list(value, printRule)]],
]

function asSchema(value: JsonValue): StructuralSchema {
  return value as unknown as StructuralSchema
}

function list(value: JsonValue, print: Print): string {
  return `[${(value as JsonValue[]).map(print).join(',')}]`
}

function map(value: JsonValue, print: Print): string {
  const entries = Object.entries(value as Record<string, JsonValue>).sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
  return `{${entries.map(([key, item]) => `${goJson(key)}:${print(item)}`).join(',')}}`
}

function printItems(value: JsonValue): string {
  if (!Array.isArray(value)) return `{"Schema":${goSchemaJson(asSchema(value))},"JSONSchemas":null}`
  return `{"Schema":null,"JSONSchemas":${schemaList[1](value)}}`
}

function printSchemaOrBool(value: JsonValue): string {
  if (typeof value === 'boolean') return `{"Allows":${value},"Schema":null}`
  return `{"Allows":true,"Schema":${goSchemaJson(asSchema(value))}}`
}

function printExternalDocs(value: JsonValue): string {
  const { description = '', url = '' } = value as Record<string, string>
  return `{"Description":${goJson(description)},"URL":${goJson(url)}}`
}

function printRule(value: JsonValue): string {
  const rule = value as Record<string, JsonValue>
  const show = (key: string, absent: JsonValue) => goJson(rule[key] ?? absent)
  return `{"Rule":${show('rule', '')},"Message":${show('message', '')},"MessageExpression":${show('messageExpression', '')},"Reason":${show('reason', null)},"FieldPath":${show('fieldPath', '')},"OptionalOldSelf":${show('optionalOldSelf', null)}}`
}

/** A schema as Go prints its internal struct. */
export function goSchemaJson(schema: StructuralSchema): string {
  const values = raw(schema) as unknown as Readonly<Record<string, JsonValue | undefined>>
  const fields = schemaFields.map(([name, keyword, [absent, print]]) => {
    const value = values[keyword]
    return `"${name}":${value === undefined ? absent : print(value)}`
  })
  return `{${fields.join(',')}}`
}

/** The versions of a CRD as Go prints its internal structs. */
export function goVersionsJson(versions: readonly CrdVersion[]): string {
  return `[${versions.map(printVersion).join(',')}]`
}

function printVersion(version: CrdVersion): string {
  const { schema, subresources, additionalPrinterColumns, selectableFields } = version
  const root = schema?.openAPIV3Schema
  const fields = {
    Name: goJson(version.name),
    Served: String(version.served),
    Storage: String(version.storage),
    Deprecated: String(version.deprecated === true),
    DeprecationWarning: goJson(version.deprecationWarning ?? null),
    Schema:
      schema === undefined ? 'null' : `{"OpenAPIV3Schema":${root ? goSchemaJson(root) : 'null'}}`,
    Subresources: subresources === undefined ? 'null' : printSubresources(subresources),
    AdditionalPrinterColumns: printAll(additionalPrinterColumns, printColumn),
    SelectableFields: printAll(
      selectableFields,
      ({ jsonPath }) => `{"JSONPath":${goJson(jsonPath)}}`,
    ),
  }
  return `{${Object.entries(fields)
    .map(([key, value]) => `"${key}":${value}`)
    .join(',')}}`
}

function printAll<T>(items: readonly T[] | undefined, print: (item: T) => string): string {
  return items === undefined ? 'null' : `[${items.map(print).join(',')}]`
}

function printSubresources({ status, scale }: NonNullable<CrdVersion['subresources']>): string {
  const { specReplicasPath = '', statusReplicasPath = '' }: Partial<CrdScale> = scale ?? {}
  const shown =
    scale === undefined
      ? 'null'
      : `{"SpecReplicasPath":${goJson(specReplicasPath)},"StatusReplicasPath":${goJson(statusReplicasPath)},"LabelSelectorPath":${goJson(scale.labelSelectorPath ?? null)}}`
  return `{"Status":${status === undefined ? 'null' : '{}'},"Scale":${shown}}`
}

function printColumn(column: NonNullable<CrdVersion['additionalPrinterColumns']>[number]): string {
  const {
    name = '',
    type = '',
    format = '',
    description = '',
    priority = 0,
    jsonPath = '',
  } = column
  return `{"Name":${goJson(name)},"Type":${goJson(type)},"Format":${goJson(format)},"Description":${goJson(description)},"Priority":${priority},"JSONPath":${goJson(jsonPath)}}`
}
