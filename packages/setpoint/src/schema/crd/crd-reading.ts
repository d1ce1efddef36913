/**
 * A CRD as a server decodes it before any check: `null` means absent, an absent string is empty, an
 * absent flag false, an absent list empty.
 */
import type { CrdManifest } from './crd-manifest.ts'
import { isJsonObject, mapItems, mapValues, type JsonObject } from '../json-value.ts'
import type { JsonValue } from '../structural-schema.ts'
import { cleanSchema } from '../without-nulls.ts'

/** Fills the gaps of a manifest; values of a wrong type stay for the shape check. */
export function readManifest(crd: CrdManifest): CrdManifest {
  const value = crd as unknown as JsonValue
  if (!isJsonObject(value)) return crd
  const { metadata, spec, ...others } = withoutNulls(value) as JsonObject
  const read = { ...others, metadata: metadata ?? {}, spec: readSpec(spec ?? {}) }
  return read as unknown as CrdManifest
}

function readSpec(spec: JsonValue): JsonValue {
  if (!isJsonObject(spec)) return spec
  const { names = {}, versions = [] } = spec
  return {
    ...spec,
    names,
    versions: Array.isArray(versions) ? versions.map(readVersion) : versions,
  }
}

function readVersion(version: JsonValue): JsonValue {
  if (!isJsonObject(version)) return version
  const { additionalPrinterColumns: columns, selectableFields: fields, ...others } = version
  return {
    name: '',
    served: false,
    storage: false,
    ...others,
    ...(isGiven(columns) ? { additionalPrinterColumns: columns } : {}),
    ...(isGiven(fields) ? { selectableFields: fields } : {}),
  }
}

function isGiven(list: JsonValue | undefined): list is JsonValue {
  return list !== undefined && !(Array.isArray(list) && list.length === 0)
}

/** Lists whose entries are objects; the entries of all others are strings. */
const objectLists: ReadonlySet<string> = new Set(
  'versions additionalPrinterColumns selectableFields ownerReferences managedFields'.split(' '),
)
const textMaps: ReadonlySet<string> = new Set(['labels', 'annotations'])

function withoutNulls(value: JsonValue, name = ''): JsonValue {
  if (Array.isArray(value)) {
    const empty: JsonValue = objectLists.has(name) ? {} : ''
    return mapItems(value, (item) => withoutNulls(item ?? empty))
  }
  if (!isJsonObject(value)) return value
  return mapValues(value, (item, key) => {
    if (item === null) return textMaps.has(name) ? '' : undefined
    return key === 'openAPIV3Schema' ? cleanSchema(item) : withoutNulls(item, key)
  })
}
