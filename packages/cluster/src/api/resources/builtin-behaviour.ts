import type { FieldError, JsonObject } from 'setpoint/schema'
import { decodeTyped } from '../../codec/index.ts'
import {
  applyBuiltinDefaults,
  prepareForCreate,
  prepareForUpdate,
  type RequestingUser,
} from '../../defaults/index.ts'
import { builtinWarnings, validateCreate, validateUpdate } from '../../validation/index.ts'
import { fromStorageVersion, toStorageVersion } from './builtin-versions.ts'
import { notEnforced } from './not-enforced.ts'
import type {
  DecodedObject,
  ObjectUpdate,
  ResourceBehaviour,
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

/** The behaviour of a built-in kind, composed from the modules that know its parts. */
export class BuiltinBehaviour implements ResourceBehaviour {
  readonly #kind: BuiltinKind

  constructor(kind: BuiltinKind) {
    this.#kind = kind
  }

  decode(value: JsonObject): DecodedObject {
    const { apiVersion, kind } = this.#kind
    const { object, unknownFields } = decodeTyped({ apiVersion, kind, value })
    return { object: { ...object, kind, apiVersion }, unknownFields }
  }

  applyDefaults(object: JsonObject): JsonObject {
    applyBuiltinDefaults(this.#kind.apiVersion, this.#kind.kind, object)
    return object
  }

  prepareForCreate(object: JsonObject, origin: WriteOrigin): void {
    prepareForCreate({ ...this.#kind, object, ...prepared(origin) })
  }

  prepareForUpdate(update: ObjectUpdate, origin: WriteOrigin): void {
    prepareForUpdate({ ...this.#kind, ...update, ...prepared(origin) })
  }

  validateCreate(object: JsonObject): FieldError[] {
    return validateCreate({ ...this.#kind, object })
  }

  validateUpdate(update: ObjectUpdate): FieldError[] {
    return validateUpdate({ ...this.#kind, ...update })
  }

  warnings(object: JsonObject, old: JsonObject | undefined): string[] {
    return [...builtinWarnings({ ...this.#kind, object, old }), ...notEnforced(this.#kind, object)]
  }

  toStorage(object: JsonObject): JsonObject {
    return toStorageVersion(this.#kind, object)
  }

  fromStorage(object: JsonObject): JsonObject {
    return fromStorageVersion(this.#kind, object)
  }
}

function prepared({ now, user }: WriteOrigin): { now: string; user: RequestingUser } {
  const { name, uid, groups, extra } = user
  return {
    now,
    user: {
      username: name,
      groups,
      ...(uid === undefined ? {} : { uid }),
      ...(extra === undefined ? {} : { extra }),
    },
  }
}
