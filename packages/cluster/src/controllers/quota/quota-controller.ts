import {
  operator,
  type AnyOperator,
  type CacheView,
  type Kind,
  type ReconcileContext,
} from 'setpoint'
import { isApiError } from 'setpoint/client'
import {
  CustomResourceDefinition,
  metadataOf,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Service,
} from 'setpoint/kinds'
import { jsonEquals, type JsonObject } from 'setpoint/schema'
import { counterOf, type Counter } from '../../quota/index.ts'
import { controllerOptions } from '../controller-options.ts'
import { builtinKinds, kindOfDefinition } from '../served-kinds.ts'
import { limits, type QuotaKeySource, type QuotaObject } from './quota-key-source.ts'
import { quotaStatus } from './quota-usage.ts'

/** All quotas are counted again at this interval, in case a change was missed. */
const resyncMs = 300_000

/** Kinds whose spec and status count, not only their number. */
const wholeKinds: ReadonlySet<Kind> = new Set<Kind>([Pod, Service, PersistentVolumeClaim])

/**
 * Keeps the used amounts of quotas correct. Admission charges new objects; this controller frees
 * deleted objects and fills the status of new quotas. `keySource` reports deleted objects.
 */
export function quotaController(keySource: QuotaKeySource): AnyOperator {
  /** The quotas that have to be counted. A failed reconcile leaves its quota here. */
  const due = new Set<string>()
  return operator(ResourceQuota, { ...controllerOptions, name: 'resourcequota-controller' })
    .watch(Pod, (pod, view) => quotasOf(Pod, pod, view), { filter: frees(Pod) })
    .watch(Service, (service, view) => quotasOf(Service, service, view), { filter: frees(Service) })
    .watch(PersistentVolumeClaim, (claim, view) => quotasOf(PersistentVolumeClaim, claim, view), {
      filter: frees(PersistentVolumeClaim),
    })
    .watch(CustomResourceDefinition, (definition, view) => {
      const kind = kindOfDefinition(definition)
      if (kind === undefined) return []
      return view
        .list(ResourceQuota)
        .filter((quota) => limits(quota, kind))
        .map(keyOf)
    })
    .source(
      'removals',
      (signal) => keySource.keys(signal),
      (key) => [key],
    )
    .onEvent(async ({ type, object }) => {
      if (type !== 'removed') return keySource.put(object)
      keySource.remove(object)
      due.delete(object.metadata.uid)
    })
    .reconcile(async (quota, ctx) => {
      const { uid, namespace } = quota.metadata
      const { spec, status } = quota
      // Admission has already charged this correctly.
      const isCharge = ctx.reasons.every(
        (reason) =>
          reason.cause === 'change' &&
          reason.kind === 'ResourceQuota' &&
          reason.change === 'changed',
      )
      const isFilled = jsonEquals(spec.hard ?? {}, status?.hard ?? {})
      if (!isCharge || !isFilled) due.add(uid)
      if (!due.has(uid)) return { recheckAfter: resyncMs }
      const defined = ctx
        .list(CustomResourceDefinition)
        .flatMap((definition) => kindOfDefinition(definition) ?? [])
      const kinds = [...builtinKinds, ...defined].filter(
        (kind) => kind.scope === 'Namespaced' && limits(quota, kind),
      )
      const counted = []
      for (const kind of kinds) {
        const counter = counterOf(kind.group, kind.plural) as Counter
        counted.push({ counter, objects: await listFromServer(kind, namespace, ctx) })
      }
      await ctx.updateStatus(quotaStatus(quota, counted, ctx.now()))
      due.delete(uid)
      return { recheckAfter: resyncMs }
    })
}

/** Whether a change frees an amount, without a deletion. */
function frees({
  group,
  plural,
}: Kind): (change: { type: string; object: unknown; old: unknown }) => boolean {
  const counter = counterOf(group, plural)
  return ({ type, object, old }) =>
    type === 'changed' &&
    old !== undefined &&
    counter?.frees?.(old as JsonObject, object as JsonObject) === true
}

function quotasOf(
  kind: Kind,
  { metadata }: { readonly metadata: { readonly namespace: string } },
  view: CacheView<typeof ResourceQuota>,
): string[] {
  return view
    .list(ResourceQuota, metadata.namespace)
    .filter((quota) => limits(quota, kind))
    .map(keyOf)
}

/**
 * The objects as the server has them. A cache could be older than the quota, and would free what
 * was charged since.
 */
async function listFromServer(
  kind: Kind,
  namespace: string,
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
): Promise<JsonObject[]> {
  try {
    const listed = wholeKinds.has(kind) ? kind : metadataOf(kind)
    return (await client.listAll(listed, { namespace, signal })) as unknown as JsonObject[]
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND')) return []
    throw error
  }
}

function keyOf({ metadata }: QuotaObject): string {
  return `${metadata.namespace}/${metadata.name}`
}
