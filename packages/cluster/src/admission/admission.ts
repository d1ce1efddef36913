import type { JsonObject } from 'setpoint/schema'
import type { UserInfo } from '../auth/index.ts'

/** The resource of an admitted write. */
interface AdmittedResource {
  readonly group: string
  readonly version: string
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly isCustom: boolean
}

/** Another version of a resource, or another resource with the same objects. */
export interface EquivalentResource {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  /** Converts an object to this version. */
  convert(object: JsonObject): Promise<JsonObject>
}

/** What is written to a subresource that has objects of its own kind, such as a Scale. */
export interface SubresourceObject {
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly object: JsonObject
  readonly old: JsonObject | undefined
  /** Decodes and defaults the object after a webhook or a policy has changed it. */
  decode(changed: JsonObject): JsonObject
}

/** A write before it is stored. */
export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly resource: AdmittedResource
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** The object to store (mutating plugins change it in place), or the object to delete. */
  readonly object: JsonObject
  readonly old: JsonObject | undefined
  readonly user: UserInfo
  readonly isDryRun: boolean
  /** Set if webhooks and policies see another object than `object` and `old`. */
  readonly subject?: SubresourceObject | undefined
  /** The options of the request, such as a CreateOptions. */
  options(): JsonObject | undefined
  /** The other versions in which webhooks may ask for the object. */
  equivalents(): readonly EquivalentResource[]
  /**
   * Decodes and defaults an object that a webhook or a policy has changed, and converts it back
   * from another version.
   */
  decode(changed: JsonObject, from?: EquivalentResource): Promise<JsonObject>
  /** The fields of a changed object that its built-in kind does not have. */
  unknownFields(changed: JsonObject, from?: EquivalentResource): readonly string[]
  /**
   * Merges a configuration into the object as server-side apply does; throws an error with a real
   * server's message if it does not fit the kind.
   */
  mergeConfiguration(
    live: JsonObject,
    configuration: JsonObject,
    from?: EquivalentResource,
  ): JsonObject
  readonly warn: (text: string) => void
  /** Adds an audit annotation, from a level of the audit policy on; missing if none is logged. */
  readonly annotate?: (key: string, value: string, level?: 'Metadata' | 'Request') => void
  /** Records how long a webhook took, for the audit event of a slow request. */
  readonly took?: (layer: 'mutating-webhook' | 'validating-webhook', ms: number) => void
}

/** The step between authorization and the store. */
export interface Admission {
  /** May change the object; throws an ApiError to refuse it. */
  mutate(attributes: AdmissionAttributes): Promise<void>
  /** May only refuse. */
  validate(attributes: AdmissionAttributes): Promise<void>
}
