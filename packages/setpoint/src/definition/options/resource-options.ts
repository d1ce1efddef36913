/** What an author hands to `defineResource`, with the checks that the compiler can make. */
import type * as core from 'zod/v4/core'
import type { Scope } from '../../kinds/kind.ts'
import type { ObjectMeta } from '../../kinds/metadata.ts'
import type { CheckedPath } from './field-path.ts'
import type { InputOf, OutputOf, WithConditions } from '../resource-types.ts'
import type { Rule } from '../vocabulary.ts'
import type { ValidationRule } from '../../schema/index.ts'

/** A column of `kubectl get` in full; the short form is just the path. */
export interface ColumnOptions {
  readonly jsonPath: string
  /** Derived from the schema at the path when left out. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description?: string
  /** 0 shows always, 1 only with `-o wide`. */
  readonly priority?: number
}

/** Where the scale subresource finds its numbers; named as in a CRD. */
export interface ScaleOptions {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

/** The part of an object that versions differ in. */
interface VersionContent<Spec, Status> {
  spec: Spec
  status?: Status
}

/** What a conversion reads: content and the metadata, of which it may change labels and annotations. */
export interface ConversionSource<Spec, Status> extends VersionContent<Spec, Status> {
  metadata: Readonly<ObjectMeta>
}

/** Labels and annotations to set beside those that are there; null takes one away. */
export interface MetadataChange {
  readonly labels?: Readonly<Record<string, string | null>>
  readonly annotations?: Readonly<Record<string, string | null>>
}

/** What a conversion gives back; labels and annotations stay unless it changes some. */
export type ConversionResult<Spec, Status> = ConvertedContent<Spec, Status> | LiteralHint

/** The content a conversion made, and what it changes of the metadata. */
export interface ConvertedContent<Spec, Status> extends VersionContent<Spec, Status> {
  metadata?: MetadataChange
}

/**
 * Nothing is ever of this type. It stands in the union because the compiler looks at a conversion
 * before it knows the schemas, and would widen `unit: 'Gi'` to a string without a hint that literals
 * matter here.
 */
interface LiteralHint {
  spec: LiteralFields
  status?: LiteralFields
  '~never': never
}

interface LiteralFields {
  [field: string]: '' | 0 | true | false | LiteralFields | LiteralFields[]
}

/** Another version of the resource, beside the one the operator is written against. */
export interface VersionOptions<Spec, Status, HubSpec extends core.$ZodType, HubStatus> {
  spec: Spec
  status?: Status
  /** Whether clients may still use it; true unless said otherwise. */
  served?: boolean
  /** Marks the version objects are stored in, while a migration has not reached the hub version yet. */
  storage?: true
  /** True, or the warning every client sees when it uses this version. */
  deprecated?: boolean | string
  columns?: Readonly<Record<string, string | ColumnOptions>>
  /** From this version to the definition's own. */
  up: (
    from: ConversionSource<OutputOf<Spec>, OutputOf<Status>>,
  ) => ConversionResult<core.input<HubSpec>, InputOf<HubStatus>>
  /** From the definition's own version to this one. */
  down: (
    from: ConversionSource<OutputOf<HubSpec>, OutputOf<HubStatus>>,
  ) => ConversionResult<InputOf<Spec>, InputOf<Status>>
}

/** The object that paths of columns, scale and selectable fields are checked against. */
interface PathRoot<Spec, Status, Conditions extends string> {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  spec: OutputOf<Spec>
  status: WithConditions<OutputOf<Status>, Conditions>
}

type CheckedColumn<Root, Column> = Column extends string
  ? CheckedPath<Root, Column>
  : Column extends { readonly jsonPath: infer Path extends string }
    ? Omit<ColumnOptions, 'jsonPath'> & { readonly jsonPath: CheckedPath<Root, Path> }
    : never

type CheckedPaths<Root, Paths> = {
  readonly [K in keyof Paths]: Paths[K] extends string ? CheckedPath<Root, Paths[K]> : Paths[K]
}

/** The type parameters of `defineResource`, inferred one by one from the options. */
export interface ResourceOptions<
  Group extends string,
  Version extends string,
  KindName extends string,
  ResourceScope extends Scope,
  Spec extends core.$ZodType,
  Status extends core.$ZodType | undefined,
  Conditions extends string,
  Columns,
  Scale,
  Selectable,
  VersionSpecs,
  VersionStatuses,
> {
  /** The API group: a domain of yours. */
  group: Group
  /** The version the operator is written against, such as `v1` or `v1alpha1`. */
  version: Version
  /** CamelCase and singular: `Application`. */
  kind: KindName
  /** In URLs; derived from the kind by the rules of English. */
  plural?: string
  /** In commands; the kind in lower case unless given. */
  singular?: string
  shortNames?: readonly string[]
  /** Groups for `kubectl get`, such as `all`. */
  categories?: readonly string[]
  /** `Namespaced` unless given. */
  scope?: ResourceScope
  /** Shown by `kubectl explain`. */
  description?: string
  spec: Spec
  status?: Status
  /** The types of `status.conditions` that the operator sets. */
  conditions?: readonly Conditions[]
  /** What `kubectl get` prints beside the name; `Age` is added at the end unless you give one. */
  columns?: {
    readonly [K in keyof Columns]: CheckedColumn<PathRoot<Spec, Status, Conditions>, Columns[K]>
  }
  /** Serves the scale subresource, for `kubectl scale` and autoscalers. */
  scale?: CheckedPaths<PathRoot<Spec, Status, Conditions>, Scale> & ScaleOptions
  /** Fields that `--field-selector` may use, beside the name and the namespace. */
  selectableFields?: CheckedPaths<PathRoot<Spec, Status, Conditions>, Selectable>
  /** CEL rules over the whole object; `self.spec`, `self.metadata.name` and the like are in scope. */
  rules?: readonly (Rule | ValidationRule)[]
  /** Older or newer versions of the resource, each with the way up to this one and back down. */
  versions?: {
    [V in keyof VersionSpecs]: VersionOptions<
      VersionSpecs[V],
      V extends keyof VersionStatuses ? VersionStatuses[V] : undefined,
      Spec,
      Status
    >
  } & { [V in keyof VersionStatuses]: { status?: VersionStatuses[V] } }
}
