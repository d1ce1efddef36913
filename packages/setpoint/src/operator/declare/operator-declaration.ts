import type { KeysConcerned } from './keys-in.ts'
import type { AnyResourceDefinition } from '../../definition/index.ts'
import type { Outcome } from '../../controller/index.ts'
import type { HandlerDeclaration, IndexAccess, IndexDeclaration } from '../../handlers/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { CacheView, ChildContext, OwnerView, ReconcileContext } from './contexts.ts'
import type { OperatorOptions } from './operator-options.ts'
import type { SourceDeclaration } from './external-source.ts'
import type { HttpSourceDeclaration } from './http-source.ts'
import type { WatchedChange } from './watch-options.ts'
import type { DeletionPolicy, StatedCondition } from './operator-types.ts'

/** An object as the engine handles it: its metadata is known, the rest is the author's business. */
export interface ApiResource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly generation?: number
    readonly deletionTimestamp?: string
    readonly finalizers?: readonly string[]
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly {
      readonly apiVersion: string
      readonly kind: string
      readonly name: string
      readonly uid: string
      readonly controller?: boolean
    }[]
  }
  readonly [field: string]: unknown
}

/** A child, or a set of them, as declared, without its types. */
export interface ChildDeclaration {
  readonly name: string
  readonly kind: Kind
  /** What is wanted; of a set, by key. */
  readonly desired: (owner: ApiResource, context: ChildContext) => object | null
  /** Whether it is a set. */
  readonly isSet: boolean
  readonly after?: readonly string[]
  readonly includeWhen?: (owner: ApiResource, context: ChildContext) => boolean
  readonly readyWhen?: (child: ApiResource) => boolean
  readonly onImmutable?: 'replace' | 'report'
  readonly createOnly?: boolean
  readonly deletion?: DeletionPolicy
  readonly crossNamespace?: boolean
  readonly rollout?: { readonly maxUnavailable: number | `${number}%` }
}

/** The children of an owner as they are: one, or those of a set by key. */
export type LiveChild = ApiResource | Readonly<Record<string, ApiResource | undefined>> | undefined

/** Another kind whose changes concern owners. */
export interface WatchDeclaration {
  readonly kind: Kind
  readonly keysOf: (object: ApiResource, view: CacheView & IndexAccess) => KeysConcerned
  readonly filter?: (change: WatchedChange<Kind>) => boolean
  readonly labelSelector?: string | Readonly<Record<string, string>>
  readonly fieldSelector?: string | Readonly<Record<string, string>>
  readonly transform?: (object: unknown) => unknown
}

/** What `.status` states. */
export interface StatedFields {
  readonly conditions?: Readonly<Record<string, StatedCondition>>
  readonly [field: string]: unknown
}

/** Any operator, whatever its types: what those who run or show operators ask for. */
export interface AnyOperator {
  readonly declaration: OperatorDeclaration
}

/** Everything that was declared about an operator. */
export interface OperatorDeclaration {
  /** The resource whose objects it serves. */
  readonly kind: Kind
  /** The same, if the resource is defined here and is not one that every cluster has. */
  readonly definition: AnyResourceDefinition | undefined
  readonly options: OperatorOptions & { readonly name: string }
  /** Which changes of its objects matter; all of them unless given. */
  readonly filter: ((change: WatchedChange<Kind>) => boolean) | undefined
  readonly children: readonly ChildDeclaration[]
  readonly owns: readonly Kind[]
  /** Kinds that it reads and writes without owning them. */
  readonly writes: readonly Kind[]
  /** Parts of kinds that are written by themselves. */
  readonly parts: readonly { readonly kind: Kind; readonly subresource: string }[]
  readonly watches: readonly WatchDeclaration[]
  readonly sources: readonly SourceDeclaration[]
  readonly httpSources: readonly HttpSourceDeclaration[]
  readonly cleanUps: readonly HandlerDeclaration[]
  readonly handlers: readonly HandlerDeclaration[]
  readonly indexes: readonly IndexDeclaration[]
  readonly status:
    | ((
        owner: ApiResource,
        children: Readonly<Record<string, LiveChild>>,
        view: OwnerView,
      ) => StatedFields)
    | undefined
  readonly reconcile:
    ((owner: ApiResource, context: ReconcileContext) => Promise<Outcome>) | undefined
}
