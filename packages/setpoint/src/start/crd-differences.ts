import {
  type CrdManifest,
  isJsonObject,
  jsonEquals,
  type JsonObject,
  type JsonValue,
} from '../schema/index.ts'

/**
 * The differences between an installed CRD and the CRD of a definition that change which objects
 * are allowed: one line per path. Server defaults, descriptions, columns and the address of a
 * webhook do not count.
 */
export function crdDifferences(installed: CrdManifest, desired: CrdManifest): string[] {
  return differences('', meaningOf(installed), meaningOf(desired))
}

/**
 * The meaning of a CRD: derived names written out, versions by name, schemas without descriptions.
 */
function meaningOf({ spec }: CrdManifest): JsonObject {
  const { kind, plural, singular, listKind, shortNames = [], categories = [] } = spec.names
  const names = {
    kind,
    plural,
    singular: singular ?? kind.toLowerCase(),
    listKind: listKind ?? `${kind}List`,
    shortNames: [...shortNames].sort(),
    categories: [...categories].sort(),
  }
  const versions = spec.versions.map((version) => [version.name, versionMeaning(version)])
  return { scope: spec.scope, names, versions: Object.fromEntries(versions) as JsonObject }
}

function versionMeaning(version: CrdManifest['spec']['versions'][number]): JsonObject {
  const { served, storage, schema, subresources, selectableFields = [] } = version
  return {
    served,
    storage,
    // Both are plain data; their types are more specific than needed here.
    schema: rootMeaning((schema?.openAPIV3Schema ?? {}) as JsonObject),
    ...(subresources === undefined ? {} : { subresources: subresources as unknown as JsonObject }),
    selectableFields: selectableFields.map(({ jsonPath }) => jsonPath).sort(),
  }
}

/** Every object has these fields, whether the schema mentions them or not. */
function rootMeaning(schema: JsonObject): JsonObject {
  const { properties, ...others } = schema
  if (!isJsonObject(properties)) return schemaMeaning(schema)
  const { apiVersion: _a, kind: _k, metadata, ...own } = properties
  const { type: _t, description: _d, ...constraints } = isJsonObject(metadata) ? metadata : {}
  const isConstrained = metadata !== undefined && Object.keys(constraints).length > 0
  return schemaMeaning({
    ...others,
    type: 'object',
    properties: isConstrained ? { ...own, metadata } : own,
  })
}

/** Descriptions and references that validate nothing. */
const descriptionKeys: ReadonlySet<string> = new Set([
  'description',
  'title',
  'example',
  'externalDocs',
])
const mapKeys: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions'])
const schemaKeys: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not'])
const listKeys: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf'])
const setKeys: ReadonlySet<string> = new Set(['required', 'enum', 'x-kubernetes-list-map-keys'])

/** Values that are the default of their keyword. */
const impliedValues: Readonly<Record<string, JsonValue>> = {
  nullable: false,
  uniqueItems: false,
  exclusiveMinimum: false,
  exclusiveMaximum: false,
  'x-kubernetes-embedded-resource': false,
  'x-kubernetes-int-or-string': false,
  'x-kubernetes-preserve-unknown-fields': false,
  'x-kubernetes-list-type': 'atomic',
  'x-kubernetes-map-type': 'granular',
}

function schemaMeaning(schema: JsonObject): JsonObject {
  const meaning: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (descriptionKeys.has(key) || impliedValues[key] === value) continue
    const meant = keywordMeaning(key, value)
    const isEmpty =
      key !== 'default' && !schemaKeys.has(key) && isContainer(meant) && isEmptyContainer(meant)
    if (!isEmpty) meaning[key] = meant
  }
  return meaning
}

function keywordMeaning(key: string, value: JsonValue): JsonValue {
  if (mapKeys.has(key) && isJsonObject(value)) {
    const entries = Object.entries(value).map(([name, schema]) => [name, nested(schema)])
    return Object.fromEntries(entries) as JsonObject
  }
  // `true` and the empty schema both allow everything.
  if (key === 'additionalProperties' && value === true) return {}
  if (schemaKeys.has(key)) return nested(value)
  if (listKeys.has(key) && Array.isArray(value)) return value.map(nested)
  if (setKeys.has(key) && Array.isArray(value)) return sorted(value)
  if (key === 'x-kubernetes-validations' && Array.isArray(value)) {
    return sorted(value.map(ruleMeaning))
  }
  return value
}

function nested(schema: JsonValue | undefined): JsonValue {
  return isJsonObject(schema) ? schemaMeaning(schema) : (schema ?? null)
}

function ruleMeaning(rule: JsonValue): JsonValue {
  if (!isJsonObject(rule)) return rule
  const { reason = 'FieldValueInvalid', ...others } = rule
  return { ...others, reason }
}

function sorted(list: readonly JsonValue[]): JsonValue[] {
  return list
    .map((item) => [JSON.stringify(item), item] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, item]) => item)
}

function isContainer(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null
}

function isEmptyContainer(value: JsonObject | JsonValue[]): boolean {
  return Object.keys(value).length === 0
}

function differences(
  path: string,
  installed: JsonValue | undefined,
  desired: JsonValue | undefined,
): string[] {
  if (isJsonObject(installed) && isJsonObject(desired)) {
    const keys = [...new Set([...Object.keys(installed), ...Object.keys(desired)])].sort()
    return keys.flatMap((key) =>
      differences(path === '' ? key : `${path}.${key}`, installed[key], desired[key]),
    )
  }
  if (installed !== undefined && desired !== undefined && jsonEquals(installed, desired)) return []
  return [`${path}: ${printed(installed)} is installed, ${printed(desired)} is expected`]
}

const valueCharactersMax = 80

function printed(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  const text = isJsonObject(value) ? `{${Object.keys(value).join(', ')}}` : JSON.stringify(value)
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}...` : text
}
