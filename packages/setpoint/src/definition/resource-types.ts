import type * as core from 'zod/v4/core'
import type { Scope } from '../kinds/kind.ts'
import type { ObjectMeta, StoredMetadata } from '../kinds/metadata.ts'
import type { RunbookStatus } from './status/runbook-status.ts'

/** One entry of `status.conditions`, with the standard fields of every Kubernetes condition. */
export interface ResourceCondition<Type extends string = string> {
  type: Type
  status: 'True' | 'False' | 'Unknown'
  observedGeneration?: number
  lastTransitionTime: string
  reason: string
  message: string
}

/** The output type of a schema; `unknown` without a schema. */
export type OutputOf<S> = S extends core.$ZodType ? core.output<S> : unknown

/** The input type of a schema, in which fields with defaults are optional. */
export type InputOf<S> = S extends core.$ZodType ? core.input<S> : unknown

/** A status with the declared conditions and runbooks in it. */
export type WithDeclared<Status, Conditions extends string, Runbooks extends string> = WithRunbooks<
  [Conditions] extends [never] ? Status : Status & { conditions?: ResourceCondition<Conditions>[] },
  Runbooks
>

type WithRunbooks<Status, Names extends string> = [Names] extends [never]
  ? Status
  : Status & { runbooks?: { [Name in Names]?: RunbookStatus } }

/** An object as the API server returns it: with defaults and complete metadata. */
export interface ResourceObject<out Names extends ResourceNames, out Spec, out Status> {
  apiVersion: `${Names['group']}/${Names['version']}`
  kind: Names['kind']
  metadata: StoredMetadata<Names['scope']>
  spec: Spec
  status?: Status
}

/** An object with defaults that was not sent to a server: its metadata is as written. */
export interface ParsedResource<out Names extends ResourceNames, out Spec, out Status> {
  apiVersion: `${Names['group']}/${Names['version']}`
  kind: Names['kind']
  metadata: ObjectMeta
  spec: Spec
  status?: Status
}

/** A manifest as a user writes it: fields with defaults are optional. */
export interface ResourceManifest<out Names extends ResourceNames, out Spec, out Status> {
  apiVersion?: `${Names['group']}/${Names['version']}`
  kind?: Names['kind']
  metadata: ObjectMeta
  spec: Spec
  status?: Status
}

/** The names that an object's type has as literals. */
export interface ResourceNames {
  group: string
  version: string
  kind: string
  scope: Scope
}

/** The types of a definition besides its hub object type. */
export interface ResourceTypes {
  object: unknown
  manifest: unknown
  parsed: unknown
  condition: string
  runbook: string
  versions: Record<string, unknown>
}

/** Carries the types of a definition. */
export interface TypedDefinition<Types extends ResourceTypes> {
  /** Carries types for `InferManifest` and `InferVersion`; never present at run time. */
  readonly '~types'?: Types
}

/** The manifest type of a resource: `InferManifest<typeof Application>`. */
export type InferManifest<D extends TypedDefinition<ResourceTypes>> =
  D extends TypedDefinition<infer Types> ? Types['manifest'] : never

/** The object type of one version of a resource: `InferVersion<typeof Application, 'v1beta1'>`. */
export type InferVersion<D extends TypedDefinition<ResourceTypes>, Version extends string> =
  D extends TypedDefinition<infer Types>
    ? Version extends keyof Types['versions']
      ? Types['versions'][Version]
      : never
    : never
