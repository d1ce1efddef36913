import { operator, type ReconcileContext, type AnyOperator } from 'setpoint'
import { PersistentVolume, PersistentVolumeClaim } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { boundByAnnotation, type VolumeObject } from './binding-rules.ts'

type VolumeContext = ReconcileContext<
  typeof PersistentVolume | typeof PersistentVolumeClaim,
  typeof PersistentVolume,
  typeof PersistentVolume
>

const provisionedByAnnotation = 'pv.kubernetes.io/provisioned-by'

/** Sets the phase of volumes, and releases volumes whose claim has another volume or is gone. */
export const volumeController: AnyOperator = operator(PersistentVolume, {
  ...controllerOptions,
  name: 'persistentvolume-controller',
  reconcileDeleting: true,
})
  .writes(PersistentVolume)
  .watch(PersistentVolumeClaim, ({ spec }) =>
    spec.volumeName === undefined ? [] : [spec.volumeName],
  )
  .reconcile(async (volume, ctx) => {
    const { claimRef } = volume.spec
    if (claimRef?.uid === undefined || claimRef.uid === '')
      return setPhase(volume, 'Available', ctx)
    const key = `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`
    // The cache of claims may be older than the cache of volumes, so a claim that it does not have
    // is read from the server.
    const known = ctx.get(PersistentVolumeClaim, key)
    const claim =
      known?.metadata.uid === claimRef.uid
        ? known
        : await ctx.client.find(PersistentVolumeClaim, {
            namespace: claimRef.namespace,
            name: claimRef.name ?? '',
          })
    if (claim?.metadata.uid !== claimRef.uid) return release(volume, ctx)
    const { volumeName } = claim.spec
    if (volumeName === undefined || volumeName === volume.metadata.name) {
      return setPhase(volume, 'Bound', ctx)
    }
    // The claim has another volume.
    const { annotations = {} } = volume.metadata
    if (annotations[boundByAnnotation] === undefined) return undefined
    await ctx.patch(PersistentVolume, volume, {
      merge: { metadata: { annotations: { [boundByAnnotation]: null } }, spec: { claimRef: null } },
    })
    return undefined
  })

async function setPhase(
  { status }: VolumeObject,
  phase: 'Available' | 'Bound' | 'Released',
  ctx: VolumeContext,
): Promise<undefined> {
  if (status?.phase !== phase) await ctx.updateStatus({ ...status, phase })
}

/** The claim is deleted. The provisioner deletes the volume if the reclaim policy is Delete. */
async function release(volume: VolumeObject, ctx: VolumeContext): Promise<undefined> {
  if (volume.status?.phase !== 'Failed') await setPhase(volume, 'Released', ctx)
  const { persistentVolumeReclaimPolicy: policy, csi, hostPath } = volume.spec
  const isOutside = volume.metadata.annotations?.[provisionedByAnnotation] !== undefined
  if (policy !== 'Delete' || isOutside || csi !== undefined || hostPath === undefined) return
  const message = 'error getting deleter volume plugin for volume'
  await ctx.recordEvent({ type: 'Warning', reason: 'VolumeFailedDelete', message })
}
