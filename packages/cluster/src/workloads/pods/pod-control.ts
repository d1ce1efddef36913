import type { ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { Pod } from 'setpoint/kinds'
import type { NewPod } from './pod-from-template.ts'
import type { PodObject } from './pod-state.ts'

/** What creating and deleting pods needs of a run. */
type PodContext = Pick<
  ReconcileContext<typeof Pod, typeof Pod>,
  'create' | 'delete' | 'recordEvent'
>

/** Creates a pod of the object of the run and tells people about it; a refusal is told, too. */
export async function createPod(ctx: PodContext, pod: NewPod): Promise<PodObject> {
  try {
    const created = await ctx.create(Pod, pod)
    const message = `Created pod: ${created.metadata.name}`
    await ctx.recordEvent({ reason: 'SuccessfulCreate', message })
    return created
  } catch (error) {
    if (!isApiError(error) || isNamespaceEnding(error)) throw error
    const message = `Error creating: ${error.status.message}`
    await ctx.recordEvent({ type: 'Warning', reason: 'FailedCreate', message })
    throw error
  }
}

/** Deletes a pod and tells people about it. One that is gone already needs no word. */
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

/** Whether a creation was refused because its namespace is on its way out: nothing will change that. */
export function isNamespaceEnding(error: unknown): boolean {
  if (!isApiError(error)) return false
  return (
    error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true
  )
}
