import type { ClusterSnapshot } from '@setpoint/cluster'
import { isJsonObject, type JsonObject } from 'setpoint/schema'

/** The objects of a resource in a snapshot, by key. */
export function objectsOf(snapshot: ClusterSnapshot, bucket: string): Map<string, JsonObject> {
  return new Map(
    (snapshot.buckets[bucket] ?? []).map(({ key, text }) => [
      key,
      JSON.parse(`{${text}`) as JsonObject,
    ]),
  )
}

/** A run with its last state. */
interface Ended {
  readonly end: { readonly cluster: ClusterSnapshot }
}

/** Whether each object says that it is ready; objects that say nothing are left out. */
export function readiness({ end }: Ended, subject: string): Map<string, boolean> {
  return new Map(
    [...objectsOf(end.cluster, subject)].flatMap(([key, object]) => {
      const isReady = saysReady(object)
      return isReady === undefined ? [] : [[key, isReady] as const]
    }),
  )
}

const readyConditions: ReadonlySet<unknown> = new Set(['Ready', 'Available'])
const readyPhases = /^(ready|running|available|active|healthy|succeeded|bound)$/i

/**
 * What an object says of itself: by a condition `Ready` or `Available`, a field `ready`, or a
 * phase. `undefined` if it says nothing.
 */
export function saysReady({ status }: JsonObject): boolean | undefined {
  if (!isJsonObject(status)) return undefined
  const { conditions, ready, phase, state } = status
  const condition = Array.isArray(conditions)
    ? conditions.filter(isJsonObject).find(({ type }) => readyConditions.has(type))
    : undefined
  if (condition !== undefined) return condition['status'] === 'True'
  if (typeof ready === 'boolean') return ready
  const text = phase ?? state
  return typeof text === 'string' ? readyPhases.test(text) : undefined
}

/** Whether an object reports a problem: it says that it is not ready, or a condition is False. */
export function saysProblem(object: JsonObject): boolean {
  if (saysReady(object) === false) return true
  const { status } = object
  if (!isJsonObject(status)) return false
  const { conditions } = status
  const hasProblem =
    Array.isArray(conditions) &&
    conditions.filter(isJsonObject).some(({ type = '', status: value }) => {
      const isBad = /degraded|fail|error|stalled|refused|rejected|blocked/i.test(
        typeof type === 'string' ? type : '',
      )
      return value === (isBad ? 'True' : 'False')
    })
  const texts = ['error', 'message', 'reason', 'warning', 'problem', 'lastError'].map(
    (name) => status[name],
  )
  return hasProblem || texts.some((text) => typeof text === 'string' && text !== '')
}

/** The generation that a status is about, if it says so. */
export function observedGeneration({ status }: JsonObject): number | undefined {
  const value = isJsonObject(status) ? status['observedGeneration'] : undefined
  return typeof value === 'number' ? value : undefined
}

export function generationOf({ metadata }: JsonObject): number | undefined {
  const value = isJsonObject(metadata) ? metadata['generation'] : undefined
  return typeof value === 'number' ? value : undefined
}
