import type { FieldError, JsonObject, StructuralSchema } from 'setpoint/schema'
import type { ApplySchema, ResetFields } from '../../apply/index.ts'
import type { UserInfo } from '../../auth/index.ts'
import type { TablePrinter } from '../../tables/index.ts'

/** A decoded object, and what of it nobody knows. */
export interface DecodedObject {
  /** Fresh: the pipeline may change it. */
  readonly object: JsonObject
  readonly unknownFields: readonly string[]
}

/** When a write happens, and by whom: a few kinds record it. */
export interface WriteOrigin {
  /** RFC 3339, whole seconds. */
  readonly now: string
  readonly user: UserInfo
  /** Tells the writer something, even if the object is refused later. */
  readonly warn: (text: string) => void
}

/** An update as rules see it: what is to be stored, and what is. */
export interface ObjectUpdate {
  readonly object: JsonObject
  readonly old: JsonObject
  /** Empty for the object itself, else `status` and the like. */
  readonly subresource: string
}

/** A write its author may be told something about; without `old` the object is new. */
export type WarnedObject = Pick<ObjectUpdate, 'object'> & Partial<ObjectUpdate>

/** How defaults are filled in. */
export interface DefaultingOptions {
  /** Leaves nulls to validation: nobody decodes what an apply made, and decoding is what drops them. */
  readonly keepsNulls?: boolean
}

/**
 * How one kind differs from others on its way into the store. Built-in kinds compose it from data and
 * small modules, custom ones from their schema; the verbs know no kinds.
 */
export interface ResourceBehaviour {
  /** Brings a value into the kind's shape. Throws an error whose message says what does not fit. */
  decode(value: JsonObject): DecodedObject
  /** Fills in what the author left out; may change the object. */
  applyDefaults(object: JsonObject, options?: DefaultingOptions): JsonObject
  /** What the server itself sets on a new object. */
  prepareForCreate(object: JsonObject, origin: WriteOrigin): void
  /** What the server keeps from the old object, and the generation. */
  prepareForUpdate(update: ObjectUpdate, origin: WriteOrigin): void
  validateCreate(object: JsonObject): FieldError[]
  validateUpdate(update: ObjectUpdate): FieldError[]
  /** What to tell a writer although the object is fine. */
  warnings(write: WarnedObject): string[]
  /** From this version to the stored one, and back. The identity when they are the same. */
  toStorage(object: JsonObject): JsonObject
  fromStorage(object: JsonObject): JsonObject
}

/** Which fields a selector may name, and what they hold. */
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

/** How an object holds itself until what belongs to it is gone. */
export interface SelfHold {
  isHeld(object: JsonObject): boolean
  /** Marks a fresh copy of the object as being deleted. */
  mark(object: JsonObject, now: string): void
}

/** How the objects of a resource leave. */
interface DeletionRules {
  /** The answer to a DELETE is the object rather than a Status. */
  readonly returnsObject: boolean
  /** Dependents are orphaned when the client does not say what to do with them. */
  readonly orphansByDefault: boolean
  /** Kinds that wait for their own content by other means than finalizers of metadata. */
  readonly hold: SelfHold | undefined
  /** How long the object may take to go; 0 means at once. Only pods take time. */
  graceSeconds(object: JsonObject, asked: number | undefined): number
  /** Objects of the kind may be given time, and say how much they were given. */
  readonly isGraceful: boolean
}

/** Where scale finds its numbers in an object. */
export interface ScalePaths {
  readonly specReplicas: readonly string[]
  readonly statusReplicas: readonly string[]
  /** A text for custom resources; built-in kinds have a selector object at `spec.selector`. */
  readonly labelSelector: readonly string[] | undefined
}

/** A resource in one version, as the server offers it. */
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
  /** Where its objects are; versions (and views such as both kinds of events) share it. */
  readonly bucket: string
  /** The prefix of its keys in a real server's etcd: some messages show it. */
  readonly registryPrefix: string
  /** Whether objects are stored in this version. */
  readonly isStorageVersion: boolean
  /** Changes with the schema: objects written under another tag are brought up to date when read. */
  readonly schemaTag: string
  /** Its definition is being deleted: nothing new may be created. */
  isTerminating: boolean
  /** Watches from before it are too old. */
  readonly firstRevision: number
  readonly allowsUnconditionalUpdate: boolean
  readonly allowsCreateOnUpdate: boolean
  /** The OpenAPI definition that strategic merge patches follow; custom resources have none. */
  readonly patchDefinition: string | undefined
  /** Sent with every answer of a deprecated version. */
  readonly deprecationWarning: string | undefined
  readonly behaviour: ResourceBehaviour
  readonly selectable: SelectableFields
  readonly deletion: DeletionRules
  readonly scale: ScalePaths | undefined
  readonly applySchema: () => ApplySchema
  readonly applySchemaOf: (apiVersion: string) => ApplySchema | undefined
  /** An object in another version of the kind; only for kinds whose versions differ in their fields. */
  readonly convert?: (object: JsonObject, apiVersion: string) => JsonObject
  readonly resetFields: (subresource: string) => ResetFields
  readonly printer: () => TablePrinter
  /** The schema of a custom resource, as its definition has it: what OpenAPI publishes. */
  readonly schema?: StructuralSchema
}

/** The pieces of an identity that messages need. */
export function groupResourceOf(resource: ServedResource): { group: string; resource: string } {
  return { group: resource.group, resource: resource.plural }
}

/** The kind as a refusal names it: both faces of events are refused as the one that is stored. */
export function invalidKind({ group, kind }: ServedResource): { group: string; kind: string } {
  return { group: group === 'events.k8s.io' ? '' : group, kind }
}
