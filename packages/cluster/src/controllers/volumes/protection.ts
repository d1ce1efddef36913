import { type AnyOperator, type Frozen, operator } from 'setpoint'
import { PersistentVolume, PersistentVolumeClaim, Pod } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import { controllerOptions } from '../controller-options.ts'
import { isFinished } from '../pods/pod-state.ts'
import { claimsOf } from './binding-rules.ts'

const claimFinalizer = 'kubernetes.io/pvc-protection'
const volumeFinalizer = 'kubernetes.io/pv-protection'

/** Keeps a finalizer on claims, and removes it from a terminating claim that no pod uses. */
export const claimProtection: AnyOperator = operator(PersistentVolumeClaim, {
  ...controllerOptions,
  name: 'pvc-protection-controller',
  reconcileDeleting: true,
})
  .writes(PersistentVolumeClaim)
  .watch(Pod, (pod) => claimsOf(pod).map((name) => `${pod.metadata.namespace}/${name}`))
  .reconcile(async (claim, ctx) => {
    const { namespace, name, finalizers = [] } = claim.metadata
    const isHeld = finalizers.includes(claimFinalizer)
    if (!isTerminating(claim)) {
      if (!isHeld) await setFinalizers([...finalizers, claimFinalizer])
      return
    }
    const isUsed = ctx.list(Pod, namespace).some((pod) => uses(pod, name))
    if (isHeld && !isUsed) await setFinalizers(finalizers.filter((one) => one !== claimFinalizer))

    async function setFinalizers(desired: readonly string[]): Promise<void> {
      const { resourceVersion } = claim.metadata
      const merge = { metadata: { resourceVersion, finalizers: desired } }
      await ctx.patch(PersistentVolumeClaim, claim, { merge })
    }
  })

/** A finished pod still uses the claims that it names, but not those of its ephemeral volumes. */
function uses(pod: Frozen<Pod>, claim: string): boolean {
  const { nodeName, volumes = [] } = pod.spec
  if (nodeName === undefined) return false
  const isNamed = volumes.some((volume) => volume.persistentVolumeClaim?.claimName === claim)
  return isNamed || (!isFinished(pod) && claimsOf(pod).includes(claim))
}

/** Removes the finalizer from a terminating volume that is not bound. */
export const volumeProtection: AnyOperator = operator(PersistentVolume, {
  ...controllerOptions,
  name: 'pv-protection-controller',
  reconcileDeleting: true,
})
  .writes(PersistentVolume)
  .reconcile(async (volume, ctx) => {
    const { finalizers = [], resourceVersion } = volume.metadata
    const isHeld = finalizers.includes(volumeFinalizer)
    if (!isTerminating(volume) || !isHeld || volume.status?.phase === 'Bound') return
    const kept = finalizers.filter((one) => one !== volumeFinalizer)
    const merge = { metadata: { resourceVersion, finalizers: kept } }
    await ctx.patch(PersistentVolume, volume, { merge })
  })
