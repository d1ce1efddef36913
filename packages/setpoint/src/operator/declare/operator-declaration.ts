import type { AdmissionDeclaration, PolicyDeclaration } from '../../admission/index.ts'
import type { AggregatedApis, ApiDeclaration } from '../../aggregated-api/index.ts'
import type { Outcome } from '../../controller/index.ts'
import type { AnyResourceDefinition } from '../../definition/index.ts'
import type { HandlerDeclaration, IndexAccess, IndexDeclaration } from '../../handlers/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { RunbookDeclaration } from '../../runbooks/index.ts'
import type {
  HttpSourceDeclaration,
  KeysConcerned,
  SourceDeclaration,
} from '../../sources/index.ts'
import type { CacheView, ChildContext, PrepareContext, ReconcileContext } from './contexts.ts'
import type { OperatorOptions } from './operator-options.ts'
import type { DeletionPolicy, StatedCondition } from './operator-types.ts'
import type { WatchedChange } from './watch-options.ts'

/** A function of `.prepare`. */
export type Preparation = (owner: ApiResource, context: PrepareContext) => Promise<unknown>

/** A child or a set of children, without its types. */
export interface ChildDeclaration {
  readonly name: string
  readonly kind: Kind
  /** Returns the desired fields; for a set, by key. */
  readonly desired: (owner: ApiResource, context: ChildContext) => object | null
  /** Declared by `.children`. */
  readonly isSet: boolean
  readonly after?: readonly string[]
  readonly includeWhen?: (owner: ApiResource, context: ChildContext) => boolean
  readonly readyWhen?: (child: ApiResource) => boolean
  readonly onImmutable?: 'replace' | 'report'
  readonly createOnly?: boolean
  readonly adopt?: boolean
  readonly deletion?: DeletionPolicy
  readonly crossNamespace?: boolean
  readonly rollout?: { readonly maxUnavailable: number | `${number}%` }
}

/** A live child, or the live children of a set by key. */
export type LiveChild = ApiResource | Readonly<Record<string, ApiResource | undefined>> | undefined

/** A kind that is declared by `.watch`. */
export interface WatchDeclaration {
  readonly kind: Kind
  readonly keysOf: (object: ApiResource, view: CacheView & IndexAccess) => KeysConcerned
  readonly filter?: (change: WatchedChange<Kind>) => boolean
  readonly labelSelector?: string | Readonly<Record<string, string>>
  readonly fieldSelector?: string | Readonly<Record<string, string>>
  readonly transform?: (object: unknown) => unknown
}

/** What the function of `.status` returns. */
export interface StatedFields {
  readonly conditions?: Readonly<Record<string, StatedCondition>>
  readonly [field: string]: unknown
}

/** The kinds that are chosen at run time. */
export interface DynamicKindsOptions {
  /**
   * The labels of the ClusterRoles whose rules the operator gets, in addition to those that follow
   * from its declarations. Who adds a kind to the cluster adds a ClusterRole with these labels.
   */
  readonly roles: Readonly<Record<string, string>>
}

/** An aggregated API, and the server of all aggregated APIs of a process. */
export interface ServedApi extends ApiDeclaration {
  readonly serve: (
    apis: readonly ApiDeclaration[],
    parts: ConstructorParameters<typeof AggregatedApis>[1],
  ) => AggregatedApis
}

/** An operator of any type, for programs that run or show operators. */
export interface AnyOperator {
  readonly declaration: OperatorDeclaration
}

/** All declarations of an operator. */
export interface OperatorDeclaration {
  /** The kind of the objects that it reconciles. */
  readonly kind: Kind
  /** The definition of that kind, if it is not a built-in kind. */
  readonly definition: AnyResourceDefinition | undefined
  readonly options: OperatorOptions & { readonly name: string }
  /** A change for which it returns false enqueues nothing; all changes count unless given. */
  readonly filter: ((change: WatchedChange<Kind>) => boolean) | undefined
  /** Called before the functions of children, which get their results. */
  readonly preparations: readonly Preparation[]
  readonly children: readonly ChildDeclaration[]
  readonly owns: readonly Kind[]
  /** Kinds that it reads and writes without owner references. */
  readonly writes: readonly Kind[]
  /** Subresources that are written. */
  readonly parts: readonly { readonly kind: Kind; readonly subresource: string }[]
  readonly watches: readonly WatchDeclaration[]
  /** Set if it works with kinds that are chosen at run time. */
  readonly dynamicKinds?: DynamicKindsOptions | undefined
  readonly sources: readonly SourceDeclaration[]
  readonly httpSources: readonly HttpSourceDeclaration[]
  readonly cleanUps: readonly HandlerDeclaration[]
  readonly handlers: readonly HandlerDeclaration[]
  readonly indexes: readonly IndexDeclaration[]
  readonly admission: readonly AdmissionDeclaration[]
  readonly policies: readonly PolicyDeclaration[]
  readonly runbooks: readonly RunbookDeclaration[]
  readonly status:
    | ((
        owner: ApiResource,
        children: Readonly<Record<string, LiveChild>>,
        view: CacheView,
      ) => StatedFields)
    | undefined
  readonly reconcile:
    ((owner: ApiResource, context: ReconcileContext) => Promise<Outcome>) | undefined
  /** The aggregated API that it serves. It then reconciles nothing. */
  readonly api?: ServedApi | undefined
}
