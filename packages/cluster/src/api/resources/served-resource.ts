import type { FieldError, JsonObject, StructuralSchema } from 'setpoint/schema'
import type { ApplySchema, ResetFields } from '../../apply/index.ts'
import type { UserInfo } from '../../auth/index.ts'
import type { TablePrinter } from '../../tables/index.ts'
import type { CustomConversion } from '../conversion/custom-conversion.ts'

/** A decoded object with its unknown fields. */
export interface DecodedObject {
  /** A copy that the caller may change. */
  readonly object: JsonObject
  readonly unknownFields: readonly string[]
  /** The given ones without those in raw data. Custom kinds have no raw data. */
  readonly duplicateFields?: readonly string[]
}

/** How a value is decoded. */
export interface DecodeOptions {
  readonly isConverted?: boolean
  /** The fields that the parser found twice. */
  readonly duplicateFields?: readonly string[]
}

/** The time and the user of a write, which a few kinds record. */
export interface WriteOrigin {
  /** RFC 3339, whole seconds. */
  readonly now: string
  readonly user: UserInfo
  readonly newUid: () => string
  /** Adds a warning to the answer, even if the object is refused later. */
  readonly warn: (text: string) => void
}

/** An update: the new object and the stored one. */
export interface ObjectUpdate {
  readonly object: JsonObject
  readonly old: JsonObject
  /** Empty for the object itself, otherwise `status` and the like. */
  readonly subresource: string
}

/** A write that may cause warnings; without `old` it is a create. */
export type WarnedObject = Pick<ObjectUpdate, 'object'> & Partial<ObjectUpdate>

/** How defaults are filled in. */
export interface DefaultingOptions {
  /**
   * Keeps nulls for validation: the result of an apply is not decoded, and decoding drops nulls.
   */
  readonly keepsNulls?: boolean
}

/**
 * How one kind differs from others on the way to the store. Built-in kinds compose it from data and
 * small modules, custom kinds derive it from their schema. The code of the verbs does not depend on
 * kinds.
 */
export interface ResourceStrategy {
  /**
   * Decodes a value as this kind. Throws an error whose message says which field does not match.
   * The results of strategic patches and of applies are converted instead, with other rules.
   */
  decode(value: JsonObject, options?: DecodeOptions): DecodedObject
  /** The object without unknown fields, for custom kinds: applies do not remove them earlier. */
  pruned?(object: JsonObject): JsonObject
  /** Applies defaults; may change the object. */
  applyDefaults(object: JsonObject, options?: DefaultingOptions): JsonObject
  /** Sets the fields of a new object that only the server sets. */
  prepareForCreate(object: JsonObject, origin: WriteOrigin): void
  /** Restores the fields of the old object that the server keeps, and sets the generation. */
  prepareForUpdate(update: ObjectUpdate, origin: WriteOrigin): void
  validateCreate(object: JsonObject): FieldError[]
  validateUpdate(update: ObjectUpdate): FieldError[]
  /**
   * The problems of unchanged values that the last validation of this object tolerated. The answer
   * has them as warnings, even if the object is refused.
   */
  toleratedProblems?(object: JsonObject): readonly string[]
  /**
   * A stored object with the defaults that only a read applies; undefined if it misses none. The
   * next write of such an object stores them, even if it changes nothing.
   */
  completedByRead?(stored: JsonObject): JsonObject | undefined
  /** Warnings for an accepted object. */
  warnings(write: WarnedObject): string[]
  /**
   * Converts from this version to the stored one, and back. The identity when they are the same.
   */
  toStorage(object: JsonObject): JsonObject
  fromStorage(object: JsonObject): JsonObject
}

/** The fields that a field selector may name, and their values. */
export interface SelectableFields {
  readonly names: ReadonlySet<string>
  refusal(field: string): string
  valueOf(object: JsonObject, field: string): string
}

/** One subresource. */
export interface ServedSubresource {
  readonly name: string
  readonly verbs: ReadonlySet<string>
  readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string }
}

/** How an object is kept by fields other than `metadata.finalizers`. */
export interface DeletionHold {
  isHeld(object: JsonObject): boolean
  /** Marks a copy of the object as terminating. */
  mark(object: JsonObject, now: string): void
}

/** How objects of a resource are deleted. */
interface DeletionRules {
  /** The answer to a DELETE is the object rather than a Status. */
  readonly returnsObject: boolean
  /** Dependents are orphaned when the client chooses no propagation policy. */
  readonly orphansByDefault: boolean
  /**
   * Set for kinds whose deletion is delayed by fields other than `metadata.finalizers`, until their
   * content is deleted.
   */
  readonly hold: DeletionHold | undefined
  /** The grace period in seconds; 0 means immediately. Only pods have one. */
  graceSeconds(object: JsonObject, asked: number | undefined): number
  /** Whether deletion sets `deletionGracePeriodSeconds`. */
  readonly isGraceful: boolean
}

/** The paths of an object's fields that the scale subresource reads. */
export interface ScalePaths {
  readonly specReplicas: readonly string[]
  readonly statusReplicas: readonly string[]
  /** A string for custom resources; built-in kinds have a selector object at `spec.selector`. */
  readonly labelSelector: readonly string[] | undefined
}

/** One version of a resource, as the server offers it. */
export interface ServedResource {
  readonly group: string
  readonly version: string
  readonly apiVersion: string
  readonly kind: string
  readonly listKind: string
  readonly plural: string
  readonly singular: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: ReadonlySet<string>
  readonly subresources: ReadonlyMap<string, ServedSubresource>
  readonly isCustom: boolean
  /** Where its objects are stored; all versions share it, and so do both Event kinds. */
  readonly bucket: string
  /** The prefix of its keys in a real server's etcd, which some messages show. */
  readonly registryPrefix: string
  /** Whether objects are stored in this version. */
  readonly isStorageVersion: boolean
  /**
   * Changes with the schema: objects written under another tag are converted when they are read.
   * Tags of custom resources end with the stored version.
   */
  readonly schemaTag: string
  /** The definition is terminating: creates are refused. */
  isTerminating: boolean
  /** Watches that start from an earlier revision are refused as too old. */
  readonly firstRevision: number
  readonly allowsUnconditionalUpdate: boolean
  readonly allowsCreateOnUpdate: boolean
  /** The OpenAPI definition for strategic merge patches; custom resources have none. */
  readonly patchDefinition: string | undefined
  /** Sent with every answer of a deprecated version. */
  readonly deprecationWarning: string | undefined
  readonly strategy: ResourceStrategy
  readonly selectable: SelectableFields
  readonly deletion: DeletionRules
  readonly scale: ScalePaths | undefined
  readonly applySchema: () => ApplySchema
  readonly applySchemaOf: (apiVersion: string) => ApplySchema | undefined
  /** Converts an object to another version; only for kinds whose versions have different fields. */
  readonly convert?: (object: JsonObject, apiVersion: string) => JsonObject
  /** Set if a webhook converts between the versions. */
  readonly conversion?: CustomConversion | undefined
  readonly resetFields: (subresource: string) => ResetFields
  readonly printer: () => TablePrinter
  /** The schema of a custom resource from its definition, for OpenAPI. */
  readonly schema?: StructuralSchema
}

/** The group and resource of a refusal's message. */
export function groupResourceOf(resource: ServedResource): { group: string; resource: string } {
  return { group: resource.group, resource: resource.plural }
}

/**
 * The kind that a validation error names: both Event kinds are refused as the stored one, and
 * custom objects as the kind that they name.
 */
export function invalidKind(
  { group, kind, isCustom }: ServedResource,
  object?: JsonObject,
): { group: string; kind: string } {
  if (!isCustom || object === undefined) {
    return { group: group === 'events.k8s.io' ? '' : group, kind }
  }
  const { apiVersion, kind: given } = object as { apiVersion: string; kind: string }
  return { group: apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '', kind: given }
}
