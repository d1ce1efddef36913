import type { JsonObject, JsonValue, StructuralSchema } from 'setpoint/schema'
import { builtinData, type ProtoField } from '../../data/index.ts'
import type { ApplySchema, FieldType } from './apply-type.ts'
import { addObjectFields, compileSchema, typeOfDefinition } from './compile-type.ts'

const builtin = new Map<string, ApplySchema>()

/** The schema of a built-in kind by its definition, such as `io.k8s.api.apps.v1.Deployment`. */
export function builtinApplySchema(definitionName: string): ApplySchema {
  const known = builtin.get(definitionName)
  if (known !== undefined) return known
  const schema = {
    type: typeOfDefinition(definitionName),
    empty: emptyStruct(definitionName),
    isCustom: false,
  }
  builtin.set(definitionName, schema)
  return schema
}

const custom = new WeakMap<StructuralSchema, ApplySchema>()

/**
 * The schema of a version of a CRD. It is cached by the structural schema: pass the same object for
 * the same version.
 */
export function structuralApplySchema(schema: StructuralSchema): ApplySchema {
  const known = custom.get(schema)
  if (known !== undefined) return known
  const type = compileSchema(schema as unknown as JsonObject, false)
  const fields = new Map<string, FieldType>(type.map?.fields)
  addObjectFields(fields)
  const map = {
    atomic: type.map?.atomic ?? false,
    fields,
    element: elementOf(schema, type.map?.element),
  }
  const compiledSchema: ApplySchema = { type: { map }, empty: {}, isCustom: true }
  custom.set(schema, compiledSchema)
  return compiledSchema
}

/**
 * Every custom object declares at least its metadata, so that a plain `type: object` is not
 * free-form.
 */
function elementOf<T>(schema: StructuralSchema, element: T | undefined): T | undefined {
  const isBare = schema.properties === undefined || Object.keys(schema.properties).length === 0
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema.additionalProperties !== undefined
  return isBare && !isOpen ? undefined : element
}

function emptyStruct(definitionName: string): JsonObject {
  const definition = builtinData.schemas().schemas[definitionName]
  const kinds = definition?.['x-kubernetes-group-version-kind'] as
    | readonly { readonly group: string; readonly version: string; readonly kind: string }[]
    | undefined
  const { group, version, kind } = kinds?.[0] ?? { group: '', version: '', kind: '' }
  const apiVersion = group === '' ? version : `${group}/${version}`
  const message = builtinData.proto().kinds[apiVersion]?.[kind]
  return message === undefined ? {} : emptyMessage(message)
}

function emptyMessage(message: string): JsonObject {
  const { messages } = builtinData.proto()
  const fields: [string, JsonValue][] = []
  for (const field of Object.values(messages[message] ?? {})) {
    if (field.inline === true) fields.push(...Object.entries(emptyMessage(field.type)))
    else if (field.always === true) fields.push([field.name, emptyField(field)])
  }
  return Object.fromEntries(fields)
}

const emptyScalars: Readonly<Record<string, JsonValue>> = { string: '', bool: false, bytes: null }

const emptySpecials: Readonly<Record<string, JsonValue>> = {
  quantity: '0',
  intOrString: 0,
  duration: '0s',
}

function emptyField(field: ProtoField): JsonValue {
  if (field.pointer === true || field.repeated === true || field.map !== undefined) return null
  const { special, messages } = builtinData.proto()
  const form = special[field.type]
  if (form !== undefined) return emptySpecials[form] ?? null
  if (messages[field.type] !== undefined) return emptyMessage(field.type)
  return emptyScalars[field.type] === undefined ? 0 : (emptyScalars[field.type] ?? null)
}
