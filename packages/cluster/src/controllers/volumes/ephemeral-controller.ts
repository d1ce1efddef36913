import { operator, type AnyOperator } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { PersistentVolumeClaim, Pod } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import type { PodObject } from '../pods/pod-state.ts'

/** Creates the claims of ephemeral volumes. They are deleted with their pod. */
export const ephemeralVolumeController: AnyOperator = operator(Pod, {
  ...controllerOptions,
  name: 'ephemeral-volume-controller',
  eventSource: 'ephemeral_volume',
  filter: ({ object }) => hasEphemeralVolume(object),
})
  .owns(PersistentVolumeClaim)
  .reconcile(async (pod, ctx) => {
    for (const { name, ephemeral } of pod.spec.volumes ?? []) {
      if (ephemeral?.volumeClaimTemplate === undefined) continue
      const claimName = `${pod.metadata.name}-${name}`
      const known = ctx.get(PersistentVolumeClaim, claimName)
      const isOwned = known?.metadata.ownerReferences?.some(({ uid }) => uid === pod.metadata.uid)
      if (isOwned === true) continue
      try {
        if (known !== undefined)
          throw new Error(
            `PVC ${pod.metadata.namespace}/${claimName} was not created for pod ${pod.metadata.namespace}/${pod.metadata.name} (pod is not owner)`,
          )
        const { metadata, spec } = ephemeral.volumeClaimTemplate
        await ctx.create(PersistentVolumeClaim, {
          metadata: { ...metadata, name: claimName },
          spec,
        })
      } catch (error) {
        if (isApiError(error, 'API_ALREADY_EXISTS')) continue
        const text = isApiError(error)
          ? `create PVC ${claimName}: ${error.status.message}`
          : String((error as Error).message)
        const message = `ephemeral volume ${name}: ${text}`
        await ctx.recordEvent({ type: 'Warning', reason: 'FailedBinding', message })
        throw error
      }
    }
  })

/** Whether a pod has a volume whose claim is created and deleted with it. */
export function hasEphemeralVolume({ spec }: PodObject): boolean {
  return spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined) === true
}
