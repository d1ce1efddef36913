import { operator, type AnyOperator, type Frozen, type Kind, type ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { CustomResourceDefinition, metadataOf, Namespace, Pod } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import type { KeyFeed } from '../key-feed.ts'
import { builtinKinds, kindOfDefinition, type AnyObject } from '../served-kinds.ts'
import { namespaceConditions, type Remains } from './namespace-conditions.ts'

type NamespaceContext = ReconcileContext<
  typeof Namespace | typeof CustomResourceDefinition,
  never,
  typeof Namespace
>

/** How soon it is looked again for what did not go at once; twice as long each time. */
const firstLookMs = 250
const longestLookMs = 15_000

/**
 * Empties namespaces that are being deleted, pods first, and lets them go when nothing is left. `removals` names the
 * namespaces that something has gone from.
 */
export function namespaceController(removals: KeyFeed): AnyOperator {
  return operator(Namespace, {
    ...controllerOptions,
    name: 'namespace-controller',
    reconcileDeleting: true,
  })
    .watch(CustomResourceDefinition, () => [])
    .source(
      'removals',
      (signal) => removals.keys(signal),
      (name) => [name],
    )
    .reconcile(async (namespace, ctx) => {
      const { deletionTimestamp, name } = namespace.metadata
      const { finalizers = [] } = namespace.spec
      if (deletionTimestamp === undefined || finalizers.length === 0) return undefined
      const remains = await emptied(name, ctx)
      const { conditions = [] } = namespace.status ?? {}
      await ctx.updateStatus({
        ...namespace.status,
        phase: 'Terminating',
        conditions: namespaceConditions(conditions, remains, ctx.now()),
      })
      const { resources, failures, isHeld } = remains
      if (isHeld || resources.size > 0 || failures.length > 0) {
        const waitedMs = ctx.now() - Date.parse(deletionTimestamp)
        return { recheckAfter: Math.min(longestLookMs, Math.max(firstLookMs, waitedMs)) }
      }
      await finalize(namespace, ctx)
      return undefined
    })
}

const nothing: Remains = { resources: new Map(), finalizers: new Map(), failures: [] }

/** Deletes everything in a namespace and tells what is left. */
async function emptied(
  namespace: string,
  ctx: NamespaceContext,
): Promise<Remains & { readonly isHeld: boolean }> {
  const defined = ctx.list(CustomResourceDefinition).flatMap((one) => kindOfDefinition(one) ?? [])
  const kinds = [...builtinKinds, ...defined].filter(({ scope }) => scope === 'Namespaced')
  const others = kinds.filter((kind) => kind !== Pod)
  const remains = {
    resources: new Map<string, number>(),
    finalizers: new Map<string, number>(),
    failures: [] as string[],
    isHeld: false,
  }
  await empty(Pod, { namespace, remains, ctx })
  // What pods need stays as long as they do; it is not counted meanwhile.
  if (remains.resources.size > 0) return { ...nothing, failures: remains.failures, isHeld: true }
  for (const kind of others) await empty(kind, { namespace, remains, ctx })
  return remains
}

interface Emptying {
  readonly namespace: string
  readonly ctx: NamespaceContext
  readonly remains: {
    readonly resources: Map<string, number>
    readonly finalizers: Map<string, number>
    readonly failures: string[]
  }
}

async function empty(kind: Kind, { namespace, remains, ctx }: Emptying): Promise<void> {
  const { client, signal } = ctx
  const partial = metadataOf(kind) as Kind<AnyObject>
  try {
    const present = await client.listAll(partial, { namespace, signal })
    if (present.length === 0) return
    const { verbs } = kind
    if (verbs === undefined || verbs.includes('deletecollection')) {
      await client.deleteAll(kind, { namespace, propagation: 'Background', signal })
    } else {
      for (const { metadata } of present)
        await client.delete(kind, metadata, { propagation: 'Background' })
    }
    const left = await client.listAll(partial, { namespace, signal })
    if (left.length > 0) remains.resources.set(`${kind.plural}.${kind.group}`, left.length)
    for (const finalizer of left.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
      remains.finalizers.set(finalizer, (remains.finalizers.get(finalizer) ?? 0) + 1)
    }
  } catch (error) {
    if (!isApiError(error)) throw error
    if (error.code !== 'API_NOT_FOUND') remains.failures.push(error.status.message)
  }
}

/** Takes our own finalizer away; others may keep the namespace. */
async function finalize(
  namespace: Frozen<Namespace>,
  { client, signal }: NamespaceContext,
): Promise<void> {
  const finalizers = (namespace.spec.finalizers ?? []).filter((one) => one !== 'kubernetes')
  const metadata = { ...namespace.metadata, resourceVersion: undefined }
  const object = { ...namespace, metadata, spec: { finalizers } }
  await client.replace(Namespace, object as never, { subresource: 'finalize', signal })
}
