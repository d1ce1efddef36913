import { isTerminating } from '../../object/index.ts'
import { scaledValue } from '../scaled-value.ts'
import { isAvailable, type PodObject } from '../pods/pod-state.ts'
import { isUpdated, type DaemonSetObject } from './daemon-pod.ts'
import { fitnessOf } from './node-fitness.ts'
import { surgeOf, type DaemonPlan, type DaemonState } from './node-plan.ts'

/** A node with at most one pod of the newest template and one of another. */
interface Pair {
  readonly node: string
  readonly fresh: PodObject | undefined
  readonly old: PodObject | undefined
}

/** Plans the replacement of old pods as fast as the strategy allows. */
export function rollingUpdate(state: DaemonState): DaemonPlan {
  const { set, nodes, podsOn } = state
  const desired = nodes.filter((node) => fitnessOf(set, node).shouldRun)
  const names = new Set([...podsOn.keys(), ...desired.map(({ metadata }) => metadata.name)])
  const pairs = [...names].map((node) => pairOf(node, state))
  const maxSurge = surgeOf(set, desired.length)
  if (maxSurge === 0) return replaceInPlace(pairs, maxUnavailableOf(set, desired.length), state)
  const desiredNodes = new Set(desired.map(({ metadata }) => metadata.name))
  return replaceAfterwards(pairs, { desiredNodes, maxSurge, state })
}

/**
 * Returns `undefined` for a node with several pods of the same revision, some of which are surplus.
 */
function pairOf(node: string, { set, podsOn, hash }: DaemonState): Pair | undefined {
  const staying = (podsOn.get(node) ?? []).filter((pod) => !isTerminating(pod))
  const fresh = staying.filter((pod) => isUpdated(pod, set, hash))
  const old = staying.filter((pod) => !isUpdated(pod, set, hash))
  if (fresh.length > 1 || old.length > 1) return undefined
  return { node, fresh: fresh[0], old: old[0] }
}

function maxUnavailableOf({ spec }: DaemonSetObject, desired: number): number {
  const value = scaledValue(spec.updateStrategy?.rollingUpdate?.maxUnavailable, desired, 'up')
  // A strategy that allows neither would never replace a pod.
  return desired > 0 && value === 0 ? 1 : value
}

/**
 * Deletes old pods before their replacement: unready pods immediately, the others within
 * maxUnavailable.
 */
function replaceInPlace(
  pairs: readonly (Pair | undefined)[],
  maxUnavailable: number,
  state: DaemonState,
): DaemonPlan {
  const isUp = upIn(state)
  const unready: PodObject[] = []
  const candidates: PodObject[] = []
  let unavailable = 0
  for (const { fresh, old } of pairs.map((pair) => pair ?? nothing)) {
    const only = fresh === undefined ? old : old === undefined ? fresh : undefined
    if (only === undefined || !isUp(only)) unavailable += 1
    if (only === undefined || only !== old) continue
    if (!isUp(old)) unready.push(old)
    else candidates.push(old)
  }
  const more = Math.max(0, maxUnavailable - unavailable)
  return { create: [], remove: [...unready, ...candidates.slice(0, more)] }
}

const nothing: Pair = { node: '', fresh: undefined, old: undefined }

interface SurgeRules {
  /** The nodes that should have a pod. */
  readonly desiredNodes: ReadonlySet<string>
  readonly maxSurge: number
  readonly state: DaemonState
}

/**
 * Creates new pods next to the old ones, and deletes an old pod when its replacement is available.
 */
function replaceAfterwards(
  pairs: readonly (Pair | undefined)[],
  { desiredNodes, maxSurge, state }: SurgeRules,
): DaemonPlan {
  const isUp = upIn(state)
  const remove: PodObject[] = []
  const undesired: PodObject[] = []
  const [urgent, candidates]: [string[], string[]] = [[], []]
  let [surging, available] = [0, 0]
  for (const pair of pairs) {
    if (pair === undefined) {
      surging += 1
      continue
    }
    const { node, fresh, old } = pair
    const counting = old ?? fresh
    if (counting !== undefined && isUp(counting)) available += 1
    if (old === undefined) continue
    if (fresh !== undefined) {
      if (isUp(fresh)) remove.push(old)
      else surging += 1
    } else if (desiredNodes.has(node)) (isUp(old) ? candidates : urgent).push(node)
    else (isUp(old) ? undesired : remove).push(old)
  }
  // Pods on nodes that should have none stay until enough other pods are available.
  const spare = Math.max(0, available - desiredNodes.size)
  const more = Math.max(0, maxSurge - surging)
  return {
    create: [...urgent, ...candidates.slice(0, more)],
    remove: [...remove, ...undesired.slice(0, spare)],
  }
}

function upIn({ set, nowMs }: DaemonState): (pod: PodObject) => boolean {
  return (pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs)
}
