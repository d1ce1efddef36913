import type { Kind, ReconcileContext } from 'setpoint'
import {
  CustomResourceDefinition,
  Deployment,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
  type Pod,
  type PodDisruptionBudget,
} from 'setpoint/kinds'
import { controllerOf } from '../pods/claim.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { builtinKinds, type OwnerReference } from '../served-kinds.ts'
import { ignoreApiError } from '../ignore-api-error.ts'

type Known =
  | typeof CustomResourceDefinition
  | typeof Deployment
  | typeof ReplicaSet
  | typeof ReplicationController
  | typeof StatefulSet
type ScaleContext = Pick<
  ReconcileContext<Known | typeof Pod | typeof PodDisruptionBudget>,
  'get' | 'list' | 'client' | 'signal'
>

/**
 * The sum of the replicas of the pods' controllers, and whether there are pods without a
 * controller.
 */
interface ExpectedScale {
  readonly scale: number
  readonly hasUnmanaged: boolean
}

/** Why the replicas cannot be determined. The message is shown in Events. */
export class ScaleError extends Error {}

/** Adds the replicas of the pods' controllers, each once. */
export async function expectedScale(
  pods: readonly PodObject[],
  ctx: ScaleContext,
): Promise<ExpectedScale> {
  const scales = new Map<string, number>()
  let hasUnmanaged = false
  for (const pod of pods) {
    const reference = controllerOf(pod) as OwnerReference | undefined
    if (reference === undefined) hasUnmanaged = true
    else if (!scales.has(reference.uid)) {
      const { namespace } = pod.metadata
      const found = await scaleOf(reference, namespace, ctx)
      if (found === undefined) {
        throw new ScaleError(`found no controllers for pod ${JSON.stringify(pod.metadata.name)}`)
      }
      scales.set(found.uid, found.scale)
    }
  }
  return { scale: [...scales.values()].reduce((sum, one) => sum + one, 0), hasUnmanaged }
}

interface Scaled {
  readonly uid: string
  readonly scale: number
}

/** The replicas of a controller; of a Deployment's ReplicaSet, the replicas of the Deployment. */
async function scaleOf(
  reference: OwnerReference,
  namespace: string,
  ctx: ScaleContext,
): Promise<Scaled | undefined> {
  const group = groupOf(reference)
  if (group === '' && reference.kind === 'ReplicationController') {
    return ofKind(ReplicationController, reference, ctx)
  }
  if (group === 'apps' && reference.kind === 'StatefulSet') {
    return ofKind(StatefulSet, reference, ctx)
  }
  if (group === 'apps' && reference.kind === 'ReplicaSet') {
    const set = ctx.get(ReplicaSet, reference.name)
    const above = set && (controllerOf(set) as OwnerReference | undefined)
    if (set?.metadata.uid === reference.uid && above?.kind === 'Deployment') {
      const found = groupOf(above) === 'apps' ? ofKind(Deployment, above, ctx) : undefined
      if (found !== undefined) return found
    } else return ofKind(ReplicaSet, reference, ctx)
  }
  return ofOther(reference, namespace, ctx)
}

function ofKind(
  kind: Exclude<Known, typeof CustomResourceDefinition>,
  { name, uid }: OwnerReference,
  ctx: ScaleContext,
): Scaled | undefined {
  const found = ctx.get(kind, name)
  return found?.metadata.uid === uid ? { uid, scale: found.spec.replicas ?? 1 } : undefined
}

/** Other kinds are read through their scale subresource. */
async function ofOther(
  reference: OwnerReference,
  namespace: string,
  ctx: ScaleContext,
): Promise<Scaled | undefined> {
  const { kind, hasScale } = servedKind(reference, ctx)
  if (!hasScale) {
    const name = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`
    throw new ScaleError(`${name} does not implement the scale subresource`)
  }
  const place = { name: reference.name, namespace }
  const { client, signal } = ctx
  const scale = (await ignoreApiError(
    client.get(kind, place, { subresource: 'scale', signal }),
    'API_NOT_FOUND',
  )) as { metadata: { uid: string }; spec?: { replicas?: number } } | undefined
  if (scale?.metadata.uid !== reference.uid) return undefined
  return { uid: reference.uid, scale: scale.spec?.replicas ?? 0 }
}

function servedKind(
  reference: OwnerReference,
  ctx: ScaleContext,
): { readonly kind: Kind; readonly hasScale: boolean } {
  const group = groupOf(reference)
  const builtin = builtinKinds.find((kind) => kind.group === group && kind.kind === reference.kind)
  if (builtin !== undefined) {
    return { kind: builtin, hasScale: builtin.subresources.includes('scale') }
  }
  const version = reference.apiVersion.slice(group.length + 1)
  for (const { spec } of ctx.list(CustomResourceDefinition)) {
    const { names, versions } = spec
    const served = versions.find((one) => one.name === version && one.served)
    if (spec.group !== group || names.kind !== reference.kind || served === undefined) continue
    const kind: Kind = {
      group,
      version,
      apiVersion: reference.apiVersion,
      kind: names.kind,
      plural: names.plural,
      scope: 'Namespaced',
      subresources: [],
    }
    return { kind, hasScale: served.subresources?.scale !== undefined }
  }
  throw new ScaleError(
    `no matches for kind ${JSON.stringify(reference.kind)} in version ${JSON.stringify(reference.apiVersion)}`,
  )
}

function groupOf({ apiVersion }: OwnerReference): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
}
