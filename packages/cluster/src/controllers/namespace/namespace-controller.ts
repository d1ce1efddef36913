import { operator, type AnyOperator, type Frozen, type Kind, type ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { CustomResourceDefinition, metadataOf, Namespace, Pod } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import type { KeySource } from '../key-source.ts'
import {
  builtinKinds,
  kindOfDefinition,
  type AnyObject,
  type RemoteKinds,
} from '../served-kinds.ts'
import { namespaceConditions, type RemainingContent } from './namespace-conditions.ts'

type NamespaceContext = ReconcileContext<
  typeof Namespace | typeof CustomResourceDefinition,
  never,
  typeof Namespace
>

/** The delay before the content of a namespace is checked again; it doubles each time. */
const firstRetryMs = 250
const longestRetryMs = 15_000

/**
 * Deletes the content of terminating namespaces, pods first, and removes their finalizer when
 * nothing is left. `removals` yields namespaces from which an object was deleted.
 */
export function namespaceController(
  removals: KeySource,
  remoteKinds: () => RemoteKinds,
): AnyOperator {
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
      const remaining = await deleteContent(name, remoteKinds(), ctx)
      const { conditions = [] } = namespace.status ?? {}
      await ctx.updateStatus({
        ...namespace.status,
        phase: 'Terminating',
        conditions: namespaceConditions(conditions, remaining, ctx.now()),
      })
      const { resources, failures, unknown, isHeld } = remaining
      if (isHeld || resources.size + failures.length + unknown.length > 0) {
        const waitedMs = ctx.now() - Date.parse(deletionTimestamp)
        return { recheckAfter: Math.min(longestRetryMs, Math.max(firstRetryMs, waitedMs)) }
      }
      await finalize(namespace, ctx)
      return undefined
    })
}

const nothing = { resources: new Map(), finalizers: new Map() } as const

/** Deletes everything in a namespace and returns what is left. */
async function deleteContent(
  namespace: string,
  { kinds: remote, unknown }: RemoteKinds,
  ctx: NamespaceContext,
): Promise<RemainingContent & { readonly isHeld: boolean }> {
  const defined = ctx.list(CustomResourceDefinition).flatMap((one) => kindOfDefinition(one) ?? [])
  const kinds = [...builtinKinds, ...defined, ...remote].filter(
    ({ scope }) => scope === 'Namespaced',
  )
  const others = kinds.filter((kind) => kind !== Pod)
  const remaining = {
    resources: new Map<string, number>(),
    finalizers: new Map<string, number>(),
    failures: [] as string[],
    unknown,
    isHeld: false,
  }
  await deleteObjects(Pod, { namespace, remaining, ctx })
  // Other objects are deleted after the pods, which may need them. Until then they are not counted.
  if (remaining.resources.size > 0)
    return { ...nothing, unknown, failures: remaining.failures, isHeld: true }
  for (const kind of others) await deleteObjects(kind, { namespace, remaining, ctx })
  return remaining
}

interface ContentDeletion {
  readonly namespace: string
  readonly ctx: NamespaceContext
  readonly remaining: {
    readonly resources: Map<string, number>
    readonly finalizers: Map<string, number>
    readonly failures: string[]
  }
}

async function deleteObjects(
  kind: Kind,
  { namespace, remaining, ctx }: ContentDeletion,
): Promise<void> {
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
    if (left.length > 0) remaining.resources.set(`${kind.plural}.${kind.group}`, left.length)
    for (const finalizer of left.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
      remaining.finalizers.set(finalizer, (remaining.finalizers.get(finalizer) ?? 0) + 1)
    }
  } catch (error) {
    if (!isApiError(error)) throw error
    if (error.code !== 'API_NOT_FOUND') remaining.failures.push(error.status.message)
  }
}

/** Removes the finalizer `kubernetes`. Other finalizers keep the namespace. */
async function finalize(
  namespace: Frozen<Namespace>,
  { client, signal }: NamespaceContext,
): Promise<void> {
  const finalizers = (namespace.spec.finalizers ?? []).filter((one) => one !== 'kubernetes')
  const metadata = { ...namespace.metadata, resourceVersion: undefined }
  const object = { ...namespace, metadata, spec: { finalizers } }
  await client.replace(Namespace, object as never, { subresource: 'finalize', signal })
}
