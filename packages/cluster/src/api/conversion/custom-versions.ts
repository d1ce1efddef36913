import {
  applyDefaults,
  pruneUnknown,
  type JsonObject,
  type StructuralSchema,
} from 'setpoint/schema'
import { unexpectedError } from '../../status/index.ts'

/** The schemas of all versions of a definition, and the version that is stored. */
export class CustomVersions {
  readonly storageApiVersion: string
  readonly #schemas: ReadonlyMap<string, StructuralSchema>

  constructor(schemas: ReadonlyMap<string, StructuralSchema>, storageApiVersion: string) {
    this.#schemas = schemas
    this.storageApiVersion = storageApiVersion
  }

  /**
   * A stored object as its own version reads it: without fields that the schema no longer has, with
   * the defaults of that version.
   */
  decodeStored(object: JsonObject): JsonObject {
    return applyDefaults(this.#schemaOf(object), this.prune(object)) as JsonObject
  }

  /**
   * Removes the fields that the version of an object does not have. A conversion ends with it: no
   * defaults are applied.
   */
  prune(object: JsonObject): JsonObject {
    const { value } = pruneUnknown(this.#schemaOf(object), object, { isResourceRoot: true })
    return value as JsonObject
  }

  /** A stored object in another version, with strategy None: only the apiVersion changes. */
  renamed(object: JsonObject, apiVersion: string): JsonObject {
    return object['apiVersion'] === apiVersion ? object : this.prune({ ...object, apiVersion })
  }

  #schemaOf(object: JsonObject): StructuralSchema {
    const apiVersion = object['apiVersion'] as string
    const schema = this.#schemas.get(apiVersion)
    if (schema !== undefined) return schema
    throw unexpectedError(`request to convert CR from an invalid group/version: ${apiVersion}`)
  }
}
