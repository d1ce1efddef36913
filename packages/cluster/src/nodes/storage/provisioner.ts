import { isSetpointError, operator, type Frozen, type AnyOperator } from 'setpoint'
import type { Client } from 'setpoint/client'
import { PersistentVolume, PersistentVolumeClaim, StorageClass } from 'setpoint/kinds'
import { parseQuantity } from '../../codec/index.ts'

/** The default storage class. */
export const defaultStorageClass = 'standard'
const provisioner = 'setpoint.dev/local'
const provisionerAnnotation = 'volume.kubernetes.io/storage-provisioner'
const provisionedByAnnotation = 'pv.kubernetes.io/provisioned-by'

/** Creates the default storage class. An existing one is not changed. */
export async function registerStorage(client: Client): Promise<void> {
  try {
    await client.create(StorageClass, {
      metadata: {
        name: defaultStorageClass,
        annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
      },
      provisioner,
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
      allowVolumeExpansion: true,
    })
  } catch (error) {
    if (!isSetpointError(error, 'API_ALREADY_EXISTS')) throw error
  }
}

/** Creates volumes for claims of its class, and expands volumes when a claim requests more. */
export function claimProvisioner(): AnyOperator {
  return operator(PersistentVolumeClaim, {
    name: provisioner.replace('/', '_'),
    eventSource: provisioner,
    failureEvents: false,
  })
    .writes(PersistentVolume)
    .writes(PersistentVolumeClaim)
    .watch(StorageClass, () => [])
    .reconcile(async (claim, ctx) => {
      const { annotations = {}, uid } = claim.metadata
      if (annotations[provisionerAnnotation] !== provisioner) return
      const { volumeName = '' } = claim.spec
      if (volumeName !== '') {
        const volume = ctx.get(PersistentVolume, volumeName)
        if (volume !== undefined && isExpanding(claim, volume)) await expand(claim, volume, ctx)
        return
      }
      const storage = ctx.get(StorageClass, claim.spec.storageClassName ?? '')
      if (storage === undefined || ctx.get(PersistentVolume, `pvc-${uid}`) !== undefined) return
      const message = `External provisioner is provisioning volume for claim "${claim.metadata.namespace}/${claim.metadata.name}"`
      await ctx.recordEvent({ reason: 'Provisioning', message })
      await ctx.client.create(PersistentVolume, volumeFor(claim, storage) as never)
      await ctx.recordEvent({
        reason: 'ProvisioningSucceeded',
        message: `Successfully provisioned volume pvc-${uid}`,
      })
    })
}

/** Deletes provisioned volumes whose claims are gone. */
export function volumeRemover(): AnyOperator {
  return operator(PersistentVolume, { name: 'setpoint.dev_local-volumes', failureEvents: false })
    .writes(PersistentVolume)
    .reconcile(async (volume, ctx) => {
      const isOurs = volume.metadata.annotations?.[provisionedByAnnotation] === provisioner
      const isDeleted = volume.spec.persistentVolumeReclaimPolicy === 'Delete'
      if (isOurs && isDeleted && volume.status?.phase === 'Released') {
        await ctx.delete(PersistentVolume, volume)
      }
    })
}

type Claim = Frozen<PersistentVolumeClaim>
type Volume = Frozen<PersistentVolume>

function volumeFor(claim: Claim, { metadata, reclaimPolicy }: Frozen<StorageClass>): object {
  const { namespace, name, uid, resourceVersion } = claim.metadata
  const { accessModes, volumeMode, resources } = claim.spec
  return {
    metadata: { name: `pvc-${uid}`, annotations: { [provisionedByAnnotation]: provisioner } },
    spec: {
      capacity: { storage: resources?.requests?.['storage'] ?? '0' },
      accessModes,
      volumeMode,
      persistentVolumeReclaimPolicy: reclaimPolicy ?? 'Delete',
      storageClassName: metadata.name,
      hostPath: { path: `/var/lib/setpoint/pvc-${uid}`, type: 'DirectoryOrCreate' },
      claimRef: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        namespace,
        name,
        uid,
        resourceVersion,
      },
    },
  }
}

/** Whether a claim requests more storage than it has. */
function isExpanding({ spec, status }: Claim, volume: Volume): boolean {
  const requested = parseQuantity(spec.resources?.requests?.['storage'] ?? '0')
  const size = (text = '0') => parseQuantity(text)
  return (
    status?.phase === 'Bound' &&
    (requested.cmp(size(volume.spec.capacity?.['storage'])) > 0 ||
      requested.cmp(size(status.capacity?.['storage'])) > 0)
  )
}

interface ExpandContext {
  patch(kind: typeof PersistentVolume, volume: Volume, patch: { merge: object }): Promise<unknown>
  updateStatus(status: NonNullable<Claim['status']>): Promise<void>
  recordEvent(event: { reason: string; message: string }): Promise<void>
}

async function expand(claim: Claim, volume: Volume, ctx: ExpandContext): Promise<void> {
  const storage = claim.spec.resources?.requests?.['storage'] ?? '0'
  const { name } = volume.metadata
  await ctx.recordEvent({
    reason: 'Resizing',
    message: `External resizer is resizing volume ${name}`,
  })
  await ctx.patch(PersistentVolume, volume, { merge: { spec: { capacity: { storage } } } })
  await ctx.updateStatus({ ...claim.status, capacity: { ...claim.status?.capacity, storage } })
  await ctx.recordEvent({ reason: 'VolumeResizeSuccessful', message: 'Resize volume succeeded' })
}
