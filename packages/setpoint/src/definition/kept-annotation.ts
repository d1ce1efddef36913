/** The annotation in which a conversion keeps what another version cannot express. */
import { SetpointError } from '../errors/index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../schema/index.ts'
import { hashText, hashWord } from '../schema/hash-text.ts'
import type { LostField } from './lost-fields.ts'

const annotation = 'setpoint.dev/conversion'

/** The limit of API servers for all annotations of an object. */
const annotationBytesMax = 262_144

/** What is kept for one version. */
export interface KeptFields {
  /** The hash of the object in which they are kept: with another one, a client has changed it. */
  readonly of: string
  readonly fields: readonly LostField[]
}

/** What is kept, by the version that can express it. */
type KeptByVersion = Readonly<Record<string, KeptFields>>

/** What an object keeps. An annotation that is not readable, because a user changed it, keeps nothing. */
export function keptIn(metadata: JsonObject): KeptByVersion {
  const annotations = metadata['annotations']
  const text = isJsonObject(annotations) ? annotations[annotation] : undefined
  if (typeof text !== 'string') return {}
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    return {}
  }
  const entries = Object.entries(isJsonObject(value) ? value : {})
  return Object.fromEntries(entries.filter(([, each]) => isKept(each))) as unknown as KeptByVersion
}

function isKept(value: JsonValue): boolean {
  if (!isJsonObject(value) || typeof value['of'] !== 'string') return false
  const { fields } = value
  return Array.isArray(fields) && fields.every(isLostField)
}

function isLostField(field: JsonValue): boolean {
  if (!isJsonObject(field)) return false
  const { at } = field
  if (!Array.isArray(at) || (at[0] !== 'spec' && at[0] !== 'status')) return false
  return at.every((step) => typeof step === 'string' || isJsonObject(step))
}

/** The metadata of an object that keeps these fields. */
export function keepingMetadata(metadata: JsonObject, kept: KeptByVersion): JsonObject {
  const { annotations: given, ...others } = metadata
  const { [annotation]: before, ...rest } = isJsonObject(given) ? given : {}
  const isEmpty = Object.keys(kept).length === 0
  if (isEmpty && before === undefined) return metadata
  const annotations: JsonObject = isEmpty ? rest : { ...rest, [annotation]: JSON.stringify(kept) }
  const bytes = Object.entries(annotations).reduce(
    (sum, [name, value]) => sum + bytesOf(name) + bytesOf(value as string),
    0,
  )
  if (!isEmpty && bytes > annotationBytesMax) {
    throw new SetpointError(
      'CONVERSION_FAILED',
      `the annotation ${annotation} would keep what the other version cannot express, and all annotations would have ${bytes} bytes; at most ${annotationBytesMax} are allowed`,
    )
  }
  return Object.keys(annotations).length === 0 ? others : { ...others, annotations }
}

const utf8 = new TextEncoder()

function bytesOf(text: string): number {
  return utf8.encode(text).length
}

/** The hash of the content of an object; the order of its fields does not matter. */
export function contentHash({ spec, status }: { spec?: unknown; status?: unknown }): string {
  const { low, high } = hashText(JSON.stringify([sorted(spec), sorted(status)]))
  return `${hashWord(low)}-${hashWord(high)}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value as JsonValue)) return value
  const entries = Object.entries(value as JsonObject)
  return Object.fromEntries(
    entries
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, field]) => [key, sorted(field)]),
  )
}
