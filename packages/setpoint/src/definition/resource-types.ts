import type * as core from 'zod/v4/core'
import type { Scope } from '../kinds/kind.ts'
import type { ObjectMeta, StoredMetadata } from '../kinds/metadata.ts'

/** One entry of `status.conditions`, with the standard fields of every Kubernetes condition. */
export interface ResourceCondition<Type extends string = string> {
  type: Type
  status: 'True' | 'False' | 'Unknown'
  observedGeneration?: number
  lastTransitionTime: string
  reason: string
  message: string
}

/** The value a schema yields; `unknown` where a definition has no such schema. */
export type OutputOf<S> = S extends core.$ZodType ? core.output<S> : unknown

/** The value a schema takes, in which fields with defaults may be left out. */
export type InputOf<S> = S extends core.$ZodType ? core.input<S> : unknown

/** A status with the declared conditions in it. */
export type WithConditions<Status, Types extends string> = [Types] extends [never]
  ? Status
  : Status & { conditions?: ResourceCondition<Types>[] }

/** An object as the API server returns it: defaults are filled in, metadata is complete. */
export interface ResourceObject<out Names extends ResourceNames, out Spec, out Status> {
  apiVersion: `${Names['group']}/${Names['version']}`
  kind: Names['kind']
  metadata: StoredMetadata<Names['scope']>
  spec: Spec
  status?: Status
}

/** An object with its defaults set that no server has seen yet: metadata is what was written. */
export interface ParsedResource<out Names extends ResourceNames, out Spec, out Status> {
  apiVersion: `${Names['group']}/${Names['version']}`
  kind: Names['kind']
  metadata: ObjectMeta
  spec: Spec
  status?: Status
}

/** An object as a person writes it: what has a default may be left out. */
export interface ResourceManifest<out Names extends ResourceNames, out Spec, out Status> {
  apiVersion?: `${Names['group']}/${Names['version']}`
  kind?: Names['kind']
  metadata: ObjectMeta
  spec: Spec
  status?: Status
}

/** The names that an object's type carries as literals. */
export interface ResourceNames {
  group: string
  version: string
  kind: string
  scope: Scope
}

/** Everything the compiler knows about a definition beyond its hub object type. */
export interface ResourceTypes {
  object: unknown
  manifest: unknown
  parsed: unknown
  condition: string
  versions: Record<string, unknown>
}

/** What carries the types of a definition. */
export interface TypedDefinition<Types extends ResourceTypes> {
  /** Carries types for `InferManifest` and `InferVersion`; never present at run time. */
  readonly '~types'?: Types
}

/** What a person writes for a resource: `InferManifest<typeof Application>`. */
export type InferManifest<D extends TypedDefinition<ResourceTypes>> =
  D extends TypedDefinition<infer Types> ? Types['manifest'] : never

/** The object type of one version of a resource: `InferVersion<typeof Application, 'v1beta1'>`. */
export type InferVersion<D extends TypedDefinition<ResourceTypes>, Version extends string> =
  D extends TypedDefinition<infer Types>
    ? Version extends keyof Types['versions']
      ? Types['versions'][Version]
      : never
    : never
