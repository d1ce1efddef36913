import type { JsonObject, JsonValue } from 'setpoint/schema'
import { asDecoded } from './empty-fields.ts'
import { TypedDecodeError } from './typed-decode-error.ts'
import { emptyMessage, TypedReader } from './typed-reader.ts'
import { messageOf, planOf } from './type-plan.ts'

/** An object of a built-in kind, as it was parsed. */
interface TypedInput {
  readonly apiVersion: string
  readonly kind: string
  readonly value: JsonObject
  /**
   * The duplicate fields that the parser found; the result has only the ones that Go also finds.
   */
  readonly duplicateFields?: readonly string[]
  /** The value is converted instead of decoded: too large integers overflow. */
  readonly isConverted?: boolean
}

/** An object in the form of its Go type, and the problems for strict decoding. */
interface TypedOutput {
  readonly object: JsonObject
  readonly unknownFields: string[]
  readonly duplicateFields: string[]
}

/** Whether a kind is built in, so that `decodeTyped` can decode it. */
export function hasType(apiVersion: string, kind: string): boolean {
  return messageOf(apiVersion, kind) !== undefined
}

/** Go's output for an unset field of a kind; undefined if it prints nothing. */
export function emptyValueOf(
  { apiVersion, kind }: Pick<TypedInput, 'apiVersion' | 'kind'>,
  name: string,
): JsonValue | undefined {
  const message = messageOf(apiVersion, kind)
  if (message === undefined) return undefined
  return emptyMessage(planOf(message))[name]
}

/**
 * Go's output after it decoded an object into the struct of its kind: a new object that may be
 * changed, without unknown fields and without the zero values that Go omits, in Go's order. Throws
 * TypedDecodeError with Go's message.
 */
export function decodeTyped(input: TypedInput): TypedOutput {
  const { apiVersion, kind, value, duplicateFields = [], isConverted = false } = input
  const message = messageOf(apiVersion, kind)
  if (message === undefined) {
    throw new TypedDecodeError(`no kind "${kind}" is registered for version "${apiVersion}"`)
  }
  const reader = new TypedReader({ notesOpaque: duplicateFields.length > 0, isConverted })
  const object = reader.read(planOf(message), value)
  const typed = asDecoded({ kind, apiVersion, ...object }, object)
  const unknownFields = [...reader.unknownFields]
  const skipped = [...unknownFields, ...reader.opaqueFields]
  return {
    object: typed,
    unknownFields,
    duplicateFields: duplicateFields.filter(
      (path) => !unknownFields.includes(path) && !isInsideAny(path, skipped),
    ),
  }
}

function isInsideAny(path: string, fields: readonly string[]): boolean {
  return fields.some((field) => path.startsWith(`${field}.`) || path.startsWith(`${field}[`))
}

const objectMetaMessage = 'k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/**
 * The metadata of a custom resource, which is typed although the rest is not. Paths of unknown
 * fields begin with `metadata`. Throws TypedDecodeError with Go's message.
 */
export function decodeObjectMeta(value: JsonObject): {
  metadata: JsonObject
  unknownFields: string[]
} {
  const reader = new TypedReader({ prefix: 'metadata' })
  const metadata = reader.read(planOf(objectMetaMessage), value)
  return { metadata, unknownFields: [...reader.unknownFields] }
}
