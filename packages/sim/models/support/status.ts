import type { InferResource, Kind } from 'setpoint'
import { StatefulSet } from 'setpoint/kinds'
import { isDeepStrictEqual } from 'node:util'
import type { Tools } from './start-controller.ts'
import type { StoredObject } from './stored-object.ts'

interface Condition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string
}

/** What an operator says about an object. */
export interface Verdict {
  readonly isReady: boolean
  readonly reason: string
  readonly message: string
  /** Other fields of the status; those that are not named stay. */
  readonly fields?: object
}

/**
 * Writes the Ready condition and other fields of the status, if they changed. It fails with a
 * conflict if the object has changed since it was read.
 */
export async function setStatus<K extends Kind>(
  { host, client }: Tools,
  kind: K,
  { object, isReady, reason, message, fields }: Verdict & { readonly object: InferResource<K> },
): Promise<InferResource<K>> {
  const stored = object as StoredObject & { readonly status?: { conditions?: Condition[] } }
  const before = stored.status?.conditions?.find(({ type }) => type === 'Ready')
  const status = isReady ? 'True' : 'False'
  const isSame = before?.status === status
  const ready = {
    type: 'Ready',
    status,
    reason,
    message,
    observedGeneration: stored.metadata.generation,
    lastTransitionTime: isSame ? before.lastTransitionTime : new Date(host.now()).toISOString(),
  }
  const next = { ...stored.status, ...fields, conditions: [ready] }
  // A field that is undefined is not stored.
  const stays = isDeepStrictEqual(JSON.parse(JSON.stringify(next)), stored.status)
  if (stays) return object
  const changed = { ...stored, status: next } as InferResource<K>
  return client.replace(kind, changed, { subresource: 'status' })
}

/** What the rollout of a StatefulSet says about its owner. */
export function verdictOfSet(set: StatefulSet | undefined): Verdict {
  const isReady = StatefulSet.isRolledOut(set)
  const message = StatefulSet.progress(set)
  return { isReady, reason: isReady ? 'AllReady' : 'Progressing', message }
}
