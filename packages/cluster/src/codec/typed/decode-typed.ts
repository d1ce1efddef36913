import type { JsonObject, JsonValue } from 'setpoint/schema'
import { TypedDecodeError } from './typed-decode-error.ts'
import { emptyMessage, TypedReader } from './typed-reader.ts'
import { messageOf, planOf } from './type-plan.ts'

/** An object of a built-in kind, as text or bytes gave it. */
interface TypedInput {
  readonly apiVersion: string
  readonly kind: string
  readonly value: JsonObject
  /** What the reader of the text found; the result has those of them that Go finds, too. */
  readonly duplicateFields?: readonly string[]
}

/** An object in the shape of its Go type, and what a strict reader complains about. */
interface TypedOutput {
  readonly object: JsonObject
  readonly unknownFields: string[]
  readonly duplicateFields: string[]
}

/** Whether a kind is built in, so that `decodeTyped` can read it. */
export function hasType(apiVersion: string, kind: string): boolean {
  return messageOf(apiVersion, kind) !== undefined
}

/** What Go prints for a field of a kind that nobody set; undefined if it prints nothing. */
export function emptyValueOf(
  { apiVersion, kind }: Pick<TypedInput, 'apiVersion' | 'kind'>,
  name: string,
): JsonValue | undefined {
  const message = messageOf(apiVersion, kind)
  if (message === undefined) return undefined
  return emptyMessage(planOf(message))[name]
}

/**
 * What Go makes of an object when it reads it into the struct of its kind and prints it again: a
 * fresh object that may be changed, without unknown fields and without the zero values Go leaves
 * out, in Go's order. Throws TypedDecodeError with Go's words.
 */
export function decodeTyped(input: TypedInput): TypedOutput {
  const { apiVersion, kind, value, duplicateFields = [] } = input
  const message = messageOf(apiVersion, kind)
  if (message === undefined) {
    throw new TypedDecodeError(`no kind "${kind}" is registered for version "${apiVersion}"`)
  }
  const reader = new TypedReader({ notesOpaque: duplicateFields.length > 0 })
  const object = reader.read(planOf(message), value)
  const typed = { kind, apiVersion, ...object }
  const unknownFields = [...reader.unknownFields]
  const skipped = [...unknownFields, ...reader.opaqueFields]
  return {
    object: typed,
    unknownFields,
    duplicateFields: duplicateFields.filter((path) => !isInsideAny(path, skipped)),
  }
}

function isInsideAny(path: string, fields: readonly string[]): boolean {
  return fields.some(
    (field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`),
  )
}

const objectMetaMessage = 'k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/**
 * The metadata of a custom resource, which is typed although the rest is not. Paths of unknown
 * fields begin with `metadata`. Throws TypedDecodeError with Go's words.
 */
export function decodeObjectMeta(value: JsonObject): {
  metadata: JsonObject
  unknownFields: string[]
} {
  const reader = new TypedReader({ prefix: 'metadata' })
  const metadata = reader.read(planOf(objectMetaMessage), value)
  return { metadata, unknownFields: [...reader.unknownFields] }
}
