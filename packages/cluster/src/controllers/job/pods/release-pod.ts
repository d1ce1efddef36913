import { isSetpointError, type ReconcileContext } from 'setpoint'
import { Pod } from 'setpoint/kinds'
import { trackingFinalizer } from '../job-rules.ts'
import type { PodObject } from '../../pods/pod-state.ts'

/** Removes the tracking finalizer of a pod. A pod that no longer exists is ignored. */
export async function releasePod(
  ctx: Pick<ReconcileContext<typeof Pod, typeof Pod>, 'patch'>,
  pod: PodObject,
): Promise<void> {
  const metadata = { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] }
  try {
    await ctx.patch(Pod, pod, { strategic: { metadata } })
  } catch (error) {
    if (!isSetpointError(error, 'API_NOT_FOUND')) throw error
  }
}
