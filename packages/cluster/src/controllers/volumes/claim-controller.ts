import { operator, type ReconcileContext, type AnyOperator } from 'setpoint'
import { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { isFinished } from '../pods/pod-state.ts'
import {
  bestVolume,
  boundByAnnotation,
  boundStatus,
  claimsOf,
  classOf,
  completedAnnotation,
  isFor,
  waitsForConsumer,
  type ClaimObject,
  type VolumeObject,
} from './binding-rules.ts'

type ClaimContext = ReconcileContext<
  typeof PersistentVolume | typeof PersistentVolumeClaim | typeof Pod | typeof StorageClass,
  typeof PersistentVolume | typeof PersistentVolumeClaim,
  typeof PersistentVolumeClaim
>

/** How often a pending claim is checked, and an Event is recorded. */
const recheckMs = 15_000

/** Binds claims to volumes that exist or that a provisioner creates for them. */
export const claimController: AnyOperator = operator(PersistentVolumeClaim, {
  ...controllerOptions,
  name: 'persistentvolume-claims',
  eventSource: 'persistentvolume-controller',
})
  .writes(PersistentVolume)
  .writes(PersistentVolumeClaim)
  .watch(StorageClass, ({ metadata }, view) =>
    view
      .list(PersistentVolumeClaim)
      .filter((claim) => claim.status?.phase === 'Pending' && classOf(claim) === metadata.name)
      .map((claim) => keyOf(claim.metadata)),
  )
  .watch(PersistentVolume, (volume, view) => {
    const { claimRef } = volume.spec
    if (claimRef !== undefined) return [`${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`]
    const waiting = view
      .list(PersistentVolumeClaim)
      .filter(({ status }) => status?.phase === 'Pending')
    return waiting.map(({ metadata }) => keyOf(metadata))
  })
  .watch(Pod, (pod) => claimsOf(pod).map((name) => `${pod.metadata.namespace}/${name}`), {
    // Only claims that wait for a consumer depend on pods, and only on their node.
    filter: ({ object, old }) => old === undefined || old.spec.nodeName !== object.spec.nodeName,
  })
  .reconcile(async (claim, ctx) => {
    const { annotations = {} } = claim.metadata
    if (annotations[completedAnnotation] !== undefined) return keepBound(claim, ctx)
    const { volumeName } = claim.spec
    if (volumeName !== undefined && volumeName !== '') return bindNamed(claim, volumeName, ctx)
    const storage = ctx.get(StorageClass, classOf(claim))
    const isWaiting = waitsForConsumer(claim, storage)
    const volume = bestVolume(claim, ctx.list(PersistentVolume), { isWaiting })
    if (volume !== undefined) return bind(claim, volume, ctx)
    await findVolume(claim, { isWaiting, ctx })
    return { recheckAfter: recheckMs }
  })

/** No volume fits: requests one from the provisioner, or records the reason as an Event. */
async function findVolume(
  claim: ClaimObject,
  { isWaiting, ctx }: { readonly isWaiting: boolean; readonly ctx: ClaimContext },
): Promise<void> {
  const name = classOf(claim)
  if (isWaiting) return recordWaiting(claim, ctx)
  if (name === '') {
    const message = 'no persistent volumes available for this claim and no storage class is set'
    return ctx.recordEvent({ reason: 'FailedBinding', message })
  }
  const storage = ctx.get(StorageClass, name)
  const fail = (message: string): Promise<void> =>
    ctx.recordEvent({ type: 'Warning', reason: 'ProvisioningFailed', message })
  if (storage === undefined) return fail(`storageclass.storage.k8s.io "${name}" not found`)
  const { provisioner } = storage
  if (provisioner.startsWith('kubernetes.io/')) {
    return fail(`no volume plugin matched name: ${provisioner}`)
  }
  const annotations = {
    'volume.beta.kubernetes.io/storage-provisioner': provisioner,
    'volume.kubernetes.io/storage-provisioner': provisioner,
  }
  const known = claim.metadata.annotations ?? {}
  if (Object.entries(annotations).some(([key, value]) => known[key] !== value)) {
    await ctx.patch(PersistentVolumeClaim, claim, { merge: { metadata: { annotations } } })
  }
  const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
  return ctx.recordEvent({ reason: 'ExternalProvisioning', message })
}

async function recordWaiting({ metadata }: ClaimObject, ctx: ClaimContext): Promise<void> {
  const users = ctx
    .list(Pod, metadata.namespace)
    .filter((pod) => !isFinished(pod) && claimsOf(pod).includes(metadata.name))
  if (users.length === 0) {
    const message = 'waiting for first consumer to be created before binding'
    return ctx.recordEvent({ reason: 'WaitForFirstConsumer', message })
  }
  const names = users.map((pod) => pod.metadata.name).sort()
  const which = names.length === 1 ? `pod ${names.join('')}` : `pods ${names.join(',')}`
  const message = `waiting for ${which} to be scheduled`
  return ctx.recordEvent({ reason: 'WaitForPodScheduled', message })
}

/** A claim that names a volume gets that volume or none. */
async function bindNamed(claim: ClaimObject, name: string, ctx: ClaimContext): Promise<undefined> {
  const volume = ctx.get(PersistentVolume, name)
  if (volume === undefined) return setPending(claim, ctx)
  if (volume.spec.claimRef === undefined || isFor(volume, claim)) return bind(claim, volume, ctx)
  const message = `volume "${name}" already bound to a different claim.`
  await ctx.recordEvent({ type: 'Warning', reason: 'FailedBinding', message })
  return setPending(claim, ctx)
}

async function setPending({ status }: ClaimObject, ctx: ClaimContext): Promise<undefined> {
  await ctx.updateStatus({ ...status, phase: 'Pending' })
}

/** A bound claim keeps its volume, or becomes Lost. */
async function keepBound(claim: ClaimObject, ctx: ClaimContext): Promise<undefined> {
  const { volumeName = '' } = claim.spec
  const volume = ctx.get(PersistentVolume, volumeName)
  if (volume !== undefined && (volume.spec.claimRef === undefined || isFor(volume, claim))) {
    return bind(claim, volume, ctx)
  }
  const [reason, message] =
    volumeName === ''
      ? [
          'ClaimLost',
          'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
        ]
      : volume === undefined
        ? ['ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!']
        : [
            'ClaimMisbound',
            'Two claims are bound to the same volume, this one is bound incorrectly',
          ]
  if (claim.status?.phase === 'Lost') return
  await ctx.updateStatus({ phase: 'Lost' })
  await ctx.recordEvent({ type: 'Warning', reason, message })
}

/**
 * Binds claim and volume to each other. The volume is written first, so that no other claim can
 * take it if the process stops between the writes.
 */
async function bind(
  claim: ClaimObject,
  volume: VolumeObject,
  ctx: ClaimContext,
): Promise<undefined> {
  const bound = await bindVolume(claim, volume, ctx)
  const { annotations = {} } = claim.metadata
  const isChosen = claim.spec.volumeName !== volume.metadata.name
  if (isChosen || annotations[completedAnnotation] === undefined) {
    const added = {
      ...(isChosen ? { [boundByAnnotation]: 'yes' } : {}),
      [completedAnnotation]: 'yes',
    }
    await ctx.patch(PersistentVolumeClaim, claim, {
      merge: { metadata: { annotations: added }, spec: { volumeName: volume.metadata.name } },
    })
  }
  await ctx.updateStatus(boundStatus(claim, bound) ?? {})
}

async function bindVolume(
  { metadata }: ClaimObject,
  volume: VolumeObject,
  ctx: ClaimContext,
): Promise<VolumeObject> {
  const { claimRef } = volume.spec
  if (claimRef?.uid === metadata.uid) return volume
  const { namespace, name, uid, resourceVersion } = metadata
  const reference = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace,
    name,
    uid,
    resourceVersion,
  }
  const annotations = claimRef === undefined ? { [boundByAnnotation]: 'yes' } : {}
  return ctx.patch(PersistentVolume, volume, {
    merge: {
      metadata: { resourceVersion: volume.metadata.resourceVersion, annotations },
      spec: { claimRef: reference },
    },
  })
}

function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`
}
