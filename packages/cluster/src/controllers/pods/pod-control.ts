import type { ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { Pod } from 'setpoint/kinds'
import type { NewPod } from './pod-from-template.ts'
import type { PodObject } from './pod-state.ts'

type PodContext = Pick<
  ReconcileContext<typeof Pod, typeof Pod>,
  'create' | 'delete' | 'recordEvent'
>

/** Creates a pod for the reconciled object and records an Event, even if the server refuses it. */
export async function createPod(ctx: PodContext, pod: NewPod): Promise<PodObject> {
  try {
    const created = await ctx.create(Pod, pod)
    const message = `Created pod: ${created.metadata.name}`
    await ctx.recordEvent({ reason: 'SuccessfulCreate', message })
    return created
  } catch (error) {
    if (!isApiError(error) || isNamespaceTerminating(error)) throw error
    const message = `Error creating: ${error.status.message}`
    await ctx.recordEvent({ type: 'Warning', reason: 'FailedCreate', message })
    throw error
  }
}

/** Deletes a pod and records an Event. A pod that no longer exists needs no Event. */
export async function deletePod(ctx: PodContext, pod: PodObject): Promise<void> {
  try {
    await ctx.delete(Pod, pod, { evenIfChanged: true })
    const message = `Deleted pod: ${pod.metadata.name}`
    await ctx.recordEvent({ reason: 'SuccessfulDelete', message })
  } catch (error) {
    if (!isApiError(error)) throw error
    const message = `Error deleting: ${error.status.message}`
    await ctx.recordEvent({ type: 'Warning', reason: 'FailedDelete', message })
    throw error
  }
}

/**
 * Whether the server refused a create because the namespace is terminating. A retry cannot succeed.
 */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!isApiError(error)) return false
  return (
    error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true
  )
}
