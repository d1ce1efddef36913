import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import { metadataOf, nameOf, namespaceOf } from '../../object/index.ts'
import { validateAnnotations, validateLabels } from '../../validation/index.ts'
import { jsonKind } from '../json-kind.ts'

/** A converted object that the server does not accept. The message is that of a real server. */
export class ConversionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConversionError'
  }
}

/** Reads an object that a conversion webhook returned, as Go decodes an object of any kind. */
export function readConverted(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) {
    const kind = value === undefined || value === null ? 'null' : jsonKind(value)
    throw new ConversionError(
      `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
    )
  }
  const { kind } = value
  if (typeof kind === 'string' && kind !== '') return value
  throw new ConversionError(`Object 'Kind' is missing in '${encodeJson(value)}'`)
}

/**
 * Checks that a converted object is the same object in the desired version, and returns it with the
 * metadata of the original: a webhook may change only labels and annotations.
 */
export function acceptConverted(
  original: JsonObject,
  converted: JsonObject,
  desiredApiVersion: string,
): JsonObject {
  const about = `conversion webhook for ${goKind(original)}`
  const [apiVersion, kind] = [shown(converted['apiVersion']), shown(converted['kind'])]
  if (apiVersion !== desiredApiVersion) {
    throw new ConversionError(
      `${about} returned invalid object at index 0: invalid groupVersion (expected ${desiredApiVersion}, received ${apiVersion})`,
    )
  }
  if (kind !== original['kind']) {
    throw new ConversionError(
      `${about} returned invalid object at index 0: invalid kind (expected ${shown(original['kind'])}, received ${kind})`,
    )
  }
  const difference = otherIdentity(original, converted)
  if (difference !== undefined) {
    throw new ConversionError(`${about} returned invalid object: must have the same ${difference}`)
  }
  try {
    return { ...converted, metadata: restoredMetadata(original, converted) }
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    throw new ConversionError(`${about} returned invalid metadata: ${error.message}`)
  }
}

/** The group, version and kind of an object, as Go prints them. */
export function goKind({ apiVersion, kind }: JsonObject): string {
  return `${shown(apiVersion)}, Kind=${shown(kind)}`
}

function otherIdentity(original: JsonObject, converted: JsonObject): string | undefined {
  const pairs: readonly (readonly [string, string, string])[] = [
    ['name', nameOf(original), shownName(converted, 'name')],
    ['namespace', namespaceOf(original), shownName(converted, 'namespace')],
    ['UID', metadataOf(original).uid ?? '', shownName(converted, 'uid')],
  ]
  const other = pairs.find(([, expected, given]) => expected !== given)
  return other && `${other[0]}: ${other[1]} != ${other[2]}`
}

function shownName({ metadata }: JsonObject, field: string): string {
  return isJsonObject(metadata) ? shown(metadata[field]) : ''
}

function restoredMetadata(original: JsonObject, converted: JsonObject): JsonObject {
  const given = converted['metadata']
  if (given === undefined) throw new ConversionError('missing metadata in converted object')
  if (!isJsonObject(given)) {
    throw new ConversionError(`invalid metadata of type ${goType(given)} in converted object`)
  }
  const metadata = { ...(original['metadata'] as JsonObject) }
  for (const field of ['labels', 'annotations'] as const) {
    const texts = given[field]
    if (texts === undefined || texts === null) {
      Reflect.deleteProperty(metadata, field)
      continue
    }
    metadata[field] = checkedTexts(field, texts, metadata[field])
  }
  return metadata
}

function checkedTexts(
  field: 'labels' | 'annotations',
  given: JsonValue,
  original: JsonValue | undefined,
): JsonObject {
  if (!isJsonObject(given)) {
    throw new ConversionError(
      `invalid metadata.${field} of type ${goType(given)} in converted object`,
    )
  }
  const old = isJsonObject(original) ? original : {}
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string') continue
    throw new ConversionError(
      `metadata.${field}[${name}] must be a string, but is ${goType(value)} in converted object`,
    )
  }
  const names = Object.keys(given)
  const isSame =
    names.length === Object.keys(old).length && names.every((name) => given[name] === old[name])
  if (isSame) return given
  const texts = given as Readonly<Record<string, string>>
  const errors =
    field === 'labels'
      ? validateLabels(texts, 'metadata.labels')
      : // A real server omits the last letter.
        validateAnnotations(texts, 'metadata.annotation')
  if (errors.length === 0) return given
  const problems = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))]
  throw new ConversionError(problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`)
}

/** The Go type of a decoded JSON value. */
function goType(value: JsonValue): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64'
}

function shown(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
