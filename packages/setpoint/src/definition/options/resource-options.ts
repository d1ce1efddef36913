/** The options of `defineResource`, with compile-time checks. */
import type * as core from 'zod/v4/core'
import type { Scope } from '../../kinds/kind.ts'
import type { ObjectMeta } from '../../kinds/metadata.ts'
import type { CheckedPath } from './field-path.ts'
import type { InputOf, OutputOf, WithDeclared } from '../resource-types.ts'
import type { Rule } from '../kubernetes-checks.ts'
import type { ValidationRule } from '../../schema/index.ts'

/** A column of `kubectl get` in full; the short form is just the path. */
export interface ColumnOptions {
  readonly jsonPath: string
  /** Derived from the schema at the path by default. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description?: string
  /** 0 is always shown, 1 only with `-o wide`. */
  readonly priority?: number
}

/** The paths of the scale subresource; named as in a CRD. */
export interface ScaleOptions {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

/** The part of an object in which versions differ. */
interface VersionContent<Spec, Status> {
  spec: Spec
  status?: Status
}

/** The input of a conversion: content and metadata. It may change labels and annotations. */
export interface ConversionSource<Spec, Status> extends VersionContent<Spec, Status> {
  metadata: Readonly<ObjectMeta>
}

/** Labels and annotations to set; null removes one, others are kept. */
export interface MetadataChange {
  readonly labels?: Readonly<Record<string, string | null>>
  readonly annotations?: Readonly<Record<string, string | null>>
}

/** The result of a conversion; labels and annotations stay unless it changes them. */
export type ConversionResult<Spec, Status> = ConvertedContent<Spec, Status> | LiteralHint

/** The converted content, and changes of the metadata. */
export interface ConvertedContent<Spec, Status> {
  spec: Spec
  status?: Status | undefined
  metadata?: MetadataChange
}

/**
 * No value has this type. It is part of the union because the compiler checks a conversion before
 * it knows the schemas, and would widen `unit: 'Gi'` to a string without a hint that literals
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

/** Another version of the resource, besides the one that the operator uses. */
export interface VersionOptions<Spec, Status, HubSpec extends core.$ZodType, HubStatus> {
  spec: Spec
  status?: Status
  /** Whether clients may use it; true by default. */
  served?: boolean
  /** Marks the storage version while a migration has not reached the hub version yet. */
  storage?: true
  /** True, or the warning that clients of this version get. */
  deprecated?: boolean | string
  columns?: Readonly<Record<string, string | ColumnOptions>>
  /**
   * Keep what this version or the definition's own cannot express in an annotation, and restore it
   * unless a client has changed it meanwhile. False by default.
   */
  lossless?: boolean
  /** From this version to the definition's own. */
  up: (
    from: ConversionSource<OutputOf<Spec>, OutputOf<Status>>,
  ) => ConversionResult<core.input<HubSpec>, InputOf<HubStatus>>
  /** From the definition's own version to this one. */
  down: (
    from: ConversionSource<OutputOf<HubSpec>, OutputOf<HubStatus>>,
  ) => ConversionResult<InputOf<Spec>, InputOf<Status>>
}

/** The object type for the paths of columns, scale and selectable fields. */
interface PathRoot<Spec, Status, Conditions extends string, Runbooks extends string> {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  spec: OutputOf<Spec>
  status: WithDeclared<OutputOf<Status>, Conditions, Runbooks>
}

type CheckedColumn<Root, Column> = Column extends string
  ? CheckedPath<Root, Column>
  : Column extends { readonly jsonPath: infer Path extends string }
    ? Omit<ColumnOptions, 'jsonPath'> & { readonly jsonPath: CheckedPath<Root, Path> }
    : never

type CheckedPaths<Root, Paths> = {
  readonly [K in keyof Paths]: Paths[K] extends string ? CheckedPath<Root, Paths[K]> : Paths[K]
}

/** The type parameters of `defineResource`, inferred from the options. */
export interface ResourceOptions<
  Group extends string,
  Version extends string,
  KindName extends string,
  ResourceScope extends Scope,
  Spec extends core.$ZodType,
  Status extends core.$ZodType | undefined,
  Conditions extends string,
  Runbooks extends string,
  Columns,
  Scale,
  Selectable,
  VersionSpecs,
  VersionStatuses,
> {
  /** The API group: a domain that you own. */
  group: Group
  /** The version that the operator uses, such as `v1` or `v1alpha1`. */
  version: Version
  /** CamelCase and singular: `Application`. */
  kind: KindName
  /** For URLs; derived from the kind by English rules. */
  plural?: string
  /** For commands; the kind in lower case by default. */
  singular?: string
  shortNames?: readonly string[]
  /** Groups for `kubectl get`, such as `all`. */
  categories?: readonly string[]
  /** `Namespaced` by default. */
  scope?: ResourceScope
  /** Shown by `kubectl explain`. */
  description?: string
  spec: Spec
  status?: Status
  /** The types of `status.conditions` that the operator sets. */
  conditions?: readonly Conditions[]
  /** The names of the runbooks that the operator runs. Their state is in `status.runbooks`. */
  runbooks?: readonly Runbooks[]
  /**
   * The columns of `kubectl get` besides the name; `Age` is added at the end unless you define one.
   */
  columns?: {
    readonly [K in keyof Columns]: CheckedColumn<
      PathRoot<Spec, Status, Conditions, Runbooks>,
      Columns[K]
    >
  }
  /** Enables the scale subresource, for `kubectl scale` and autoscalers. */
  scale?: CheckedPaths<PathRoot<Spec, Status, Conditions, Runbooks>, Scale> & ScaleOptions
  /** Fields for `--field-selector`, besides the name and the namespace. */
  selectableFields?: CheckedPaths<PathRoot<Spec, Status, Conditions, Runbooks>, Selectable>
  /**
   * CEL rules for the whole object; `self.spec`, `self.metadata.name` and the like are in scope.
   */
  rules?: readonly (Rule | ValidationRule)[]
  /** Older or newer versions of the resource, each with conversions to this one and back. */
  versions?: {
    [V in keyof VersionSpecs]: VersionOptions<
      VersionSpecs[V],
      V extends keyof VersionStatuses ? VersionStatuses[V] : undefined,
      Spec,
      Status
    >
  } & { [V in keyof VersionStatuses]: { status?: VersionStatuses[V] } }
}
