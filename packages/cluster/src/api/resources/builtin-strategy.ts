import { keepCarriedStatus } from './versions/autoscaler-versions.ts'
import { goQuote, isJsonObject, type FieldError, type JsonObject } from 'setpoint/schema'
import { asDecoded, decodeTyped, TypedDecodeError } from '../../codec/index.ts'
import {
  applyBuiltinDefaults,
  completedByRead,
  prepareForCreate,
  prepareForUpdate,
  type RequestingUser,
} from '../../defaults/index.ts'
import { metadataOf } from '../../object/index.ts'
import { builtinWarnings, validateCreate, validateUpdate } from '../../validation/index.ts'
import {
  fromStorageVersion,
  internalForm,
  throughStorage,
  toStorageVersion,
} from './versions/builtin-versions.ts'
import type {
  DecodedObject,
  DecodeOptions,
  ObjectUpdate,
  ResourceStrategy,
  WarnedObject,
  WriteOrigin,
} from './served-resource.ts'

/** The identity of a built-in kind. */
interface BuiltinKind {
  readonly group: string
  readonly version: string
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
}

/** The strategy of a built-in kind, composed of the modules for its parts. */
export class BuiltinStrategy implements ResourceStrategy {
  readonly #kind: BuiltinKind

  constructor(kind: BuiltinKind) {
    this.#kind = kind
  }

  decode(value: JsonObject, options?: DecodeOptions): DecodedObject {
    const { apiVersion, kind } = this.#kind
    const decoded = decodeTyped({ apiVersion, kind, value, ...options })
    const { object, unknownFields, duplicateFields } = decoded
    if (kind === 'DaemonSet') checkTemplateGeneration(object, options?.isConverted === true)
    keepEmptyManagers(object, value)
    const named = asDecoded({ ...object, kind, apiVersion }, object)
    return { object: named, unknownFields, duplicateFields }
  }

  applyDefaults(object: JsonObject): JsonObject {
    applyBuiltinDefaults(this.#kind.apiVersion, this.#kind.kind, object)
    if (this.#kind.kind === 'DaemonSet') ownTemplateGeneration(object)
    return throughStorage(this.#kind, object)
  }

  prepareForCreate(object: JsonObject, origin: WriteOrigin): void {
    prepareForCreate({ ...this.#kind, object, ...prepared(origin) })
    if (this.#carriesStatus()) keepCarriedStatus(object, undefined)
  }

  prepareForUpdate(update: ObjectUpdate, origin: WriteOrigin): void {
    prepareForUpdate({ ...this.#kind, ...update, ...prepared(origin) })
    if (this.#carriesStatus() && update.subresource === '') {
      keepCarriedStatus(update.object, update.old)
    }
  }

  #carriesStatus(): boolean {
    const { apiVersion, kind } = this.#kind
    return kind === 'HorizontalPodAutoscaler' && apiVersion === 'autoscaling/v1'
  }

  validateCreate(object: JsonObject): FieldError[] {
    return validateCreate({ ...this.#kind, object: internalForm(this.#kind, object) })
  }

  validateUpdate(update: ObjectUpdate): FieldError[] {
    const object = internalForm(this.#kind, update.object)
    const old = internalForm(this.#kind, update.old)
    return validateUpdate({ ...this.#kind, ...update, object, old })
  }

  warnings(write: WarnedObject): string[] {
    return builtinWarnings({ ...this.#kind, ...write })
  }

  toStorage(object: JsonObject): JsonObject {
    return toStorageVersion(this.#kind, object)
  }

  fromStorage(object: JsonObject): JsonObject {
    return fromStorageVersion(this.#kind, this.completedByRead(object) ?? object)
  }

  completedByRead(stored: JsonObject): JsonObject | undefined {
    return completedByRead(this.#kind, stored)
  }
}

function prepared({ now, user, newUid, warn }: WriteOrigin): {
  now: string
  newUid: () => string
  user: RequestingUser
  warn: (text: string) => void
} {
  const { name, uid, groups, extra } = user
  return {
    now,
    newUid,
    warn,
    user: {
      username: name,
      groups,
      ...(uid === undefined ? {} : { uid }),
      ...(extra === undefined ? {} : { extra }),
    },
  }
}

/** An empty (not missing) list of managedFields clears the field managers. */
function keepEmptyManagers(object: JsonObject, value: JsonObject): void {
  const given = value['metadata']
  const managers = isJsonObject(given) ? given['managedFields'] : undefined
  const metadata = object['metadata']
  if (!Array.isArray(managers) || managers.length > 0 || !isJsonObject(metadata)) return
  metadata['managedFields'] = []
}

/** An annotation of DaemonSets, which Go's conversion adds. */
export const templateGeneration = 'deprecated.daemonset.template.generation'

/** A converted object that has no form in the internal version. */
export class UnversionedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnversionedError'
  }
}

/** Other versions have a number instead of the annotation, and a real server converts it. */
function checkTemplateGeneration(object: JsonObject, isConverted: boolean): void {
  const text = metadataOf(object).annotations?.[templateGeneration]
  if (text === undefined || (/^[+-]?\d+$/.test(text) && isInt64(BigInt(text)))) return
  const problem = /^[+-]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax'
  const why = `strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`
  throw isConverted ? new UnversionedError(why) : new TypedDecodeError(why)
}

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value

/**
 * The writer of a DaemonSet owns its template generation, which is shown as an annotation, from the
 * creation on.
 */
function ownTemplateGeneration(object: JsonObject): void {
  const metadata = metadataOf(object)
  if (metadata.annotations?.[templateGeneration] !== undefined) return
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: '0' }
}
