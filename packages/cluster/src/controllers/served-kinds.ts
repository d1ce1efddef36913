import type { Frozen, Kind } from 'setpoint'
import * as kinds from 'setpoint/kinds'

/** Kinds that serve the same stored objects as another kind of this list. */
const otherViews: ReadonlySet<unknown> = new Set([
  kinds.EventsEvent,
  kinds.HorizontalPodAutoscalerV1,
])

/** The kinds that every cluster stores, each once. */
export const builtinKinds: readonly Kind[] = Object.values(kinds).filter(
  (value): value is Kind & (typeof kinds)[keyof typeof kinds] =>
    typeof value === 'object' && 'plural' in value && !otherViews.has(value) && isStored(value),
)

/** The fields that controllers of all kinds read. */
export interface AnyObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly deletionTimestamp?: string
    readonly finalizers?: readonly string[]
    readonly ownerReferences?: readonly OwnerReference[]
  }
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** The kinds that other servers serve. */
export interface RemoteKinds {
  readonly kinds: readonly Kind<AnyObject>[]
  /** The versions whose kinds are unknown, because their server does not answer. */
  readonly unknown: readonly string[]
}

/** The kind that a CustomResourceDefinition adds; `undefined` while it is not served. */
export function kindOfDefinition({
  spec,
  status,
}: Frozen<kinds.CustomResourceDefinition>): Kind<AnyObject> | undefined {
  const isServed = (status?.conditions ?? []).some(
    (condition) => condition.type === 'Established' && condition.status === 'True',
  )
  const version =
    spec.versions.find(({ storage, served }) => storage && served) ??
    spec.versions.find(({ served }) => served)
  if (!isServed || version === undefined) return undefined
  const { group, names, scope } = spec
  return {
    group,
    version: version.name,
    apiVersion: `${group}/${version.name}`,
    kind: names.kind,
    plural: names.plural,
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    subresources: [],
  }
}

function isStored({ verbs }: Kind): boolean {
  return verbs === undefined || ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb))
}
