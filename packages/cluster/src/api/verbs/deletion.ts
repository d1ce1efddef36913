import type { JsonObject } from 'setpoint/schema'
import { formatTime, isTerminating, metadataOf, nextGeneration } from '../../object/index.ts'
import type { DeleteOptions } from '../options/delete-options.ts'
import type { DeletionHold, ServedResource } from '../resources/served-resource.ts'

const orphan = 'orphan'
const foreground = 'foregroundDeletion'

/** The effect of a DELETE: the object is deleted, unchanged, or changed and terminating. */
export type DeletionStep = JsonObject | 'gone' | 'unchanged'

/**
 * The state machine of deletion: the finalizers of the propagation policy, the deletionTimestamp,
 * and the grace period of a pod. A second DELETE can only shorten the grace period.
 */
export function beginDeletion(
  resource: ServedResource,
  live: JsonObject,
  { options, nowMs }: { options: DeleteOptions; nowMs: number },
): DeletionStep {
  const { hold } = resource.deletion
  const finalizers = finalizersAfter(resource, live, options)
  if (hold !== undefined && !isTerminating(live)) {
    return held(withFinalizers(live, finalizers), hold, nowMs)
  }
  if (hold?.isHeld(live) === true) return 'unchanged'
  const grace = resource.deletion.graceSeconds(live, options.gracePeriodSeconds)
  const isHeld = finalizers.length > 0
  const old = metadataOf(live)
  if (!isTerminating(live)) {
    if (!isHeld && grace === 0) return 'gone'
    return marked(live, { finalizers, grace, deletionMs: nowMs + grace * 1000 })
  }
  const oldGrace = old.deletionGracePeriodSeconds ?? 0
  if (oldGrace === 0 || grace >= oldGrace) {
    if (!isHeld && oldGrace === 0) return 'gone'
    // Marked by a hold, without a grace period: the second DELETE sets it, as on a real server.
    if (old.deletionGracePeriodSeconds === undefined) return remarked(live, finalizers)
    const isSame = sameItems(finalizers, old.finalizers ?? [])
    return isSame ? 'unchanged' : withFinalizers(live, finalizers)
  }
  if (grace === 0 && !isHeld) return 'gone'
  const begunMs = Date.parse(old.deletionTimestamp ?? '') - oldGrace * 1000
  return marked(live, { finalizers, grace, deletionMs: begunMs + grace * 1000 })
}

/**
 * The answer for a pod that is deleted immediately has a grace period of 0, although that is never
 * stored.
 */
export function withZeroGrace(live: JsonObject, nowMs: number): JsonObject {
  const finalizers = metadataOf(live).finalizers ?? []
  return marked(live, { finalizers, grace: 0, deletionMs: nowMs })
}

function held(live: JsonObject, hold: DeletionHold, nowMs: number): JsonObject {
  const object = { ...live, metadata: { ...(live['metadata'] as JsonObject) } }
  hold.mark(object, formatTime(nowMs))
  return object
}

function marked(
  live: JsonObject,
  change: { finalizers: readonly string[]; grace: number; deletionMs: number },
): JsonObject {
  const object = withFinalizers(live, change.finalizers)
  const metadata = metadataOf(object)
  const isFirst = !isTerminating(live)
  metadata.deletionTimestamp = formatTime(change.deletionMs)
  metadata.deletionGracePeriodSeconds = change.grace
  if (isFirst && (metadata.generation ?? 0) > 0) {
    metadata.generation = nextGeneration(metadata.generation)
  }
  return object
}

function remarked(live: JsonObject, finalizers: readonly string[]): JsonObject {
  const object = withFinalizers(live, finalizers)
  metadataOf(object).deletionGracePeriodSeconds = 0
  return object
}

function withFinalizers(live: JsonObject, finalizers: readonly string[]): JsonObject {
  const metadata = { ...metadataOf(live) }
  if (finalizers.length > 0) metadata.finalizers = [...finalizers]
  else delete metadata.finalizers
  return { ...live, metadata: metadata as unknown as JsonObject }
}

/** The finalizers after the propagation policy, which the client or the kind has chosen. */
function finalizersAfter(
  resource: ServedResource,
  live: JsonObject,
  { propagation, isOrphanDenied }: DeleteOptions,
): string[] {
  const old = metadataOf(live).finalizers ?? []
  const isNamespace = resource.group === '' && resource.plural === 'namespaces'
  const asked = isNamespace && isOrphanDenied ? 'Foreground' : propagation
  // No object depends on an event.
  const isEvent = resource.bucket === '/events'
  const policy = isEvent ? 'Background' : (asked ?? policyOf(resource, old))
  const next = old.filter((name) => name !== orphan && name !== foreground)
  if (policy === 'Orphan') next.push(orphan)
  if (policy === 'Foreground') next.push(foreground)
  return sameItems(next, old) ? [...old] : next
}

function policyOf(
  { deletion }: ServedResource,
  finalizers: readonly string[],
): DeleteOptions['propagation'] {
  if (finalizers.includes(orphan)) return 'Orphan'
  if (finalizers.includes(foreground)) return 'Foreground'
  return deletion.orphansByDefault ? 'Orphan' : 'Background'
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item))
}
