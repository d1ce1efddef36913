import { isTerminating } from '../../object/index.ts'
import { scaledValue } from '../scaled-value.ts'
import { isAvailable, isReady, type PodObject } from '../pods/pod-state.ts'
import type { NodeView } from '../placement/node-selector.ts'
import { byAge, hashLabel, targetNode, type DaemonSetObject } from './daemon-pod.ts'
import { fitnessOf } from './node-fitness.ts'

/** The objects that a reconcile reads. */
export interface DaemonState {
  readonly set: DaemonSetObject
  readonly nodes: readonly NodeView[]
  /** The pods of the set by the node that they run on or are created for. */
  readonly podsOn: ReadonlyMap<string, readonly PodObject[]>
  /** The hash label of pods of the newest template. */
  readonly hash: string
  readonly nowMs: number
}

/** The pods to create and to delete. */
export interface DaemonPlan {
  /** Nodes that need a pod. */
  readonly create: readonly string[]
  readonly remove: readonly PodObject[]
}

/**
 * The plan, and the finished pods on nodes where a pod should run. They are deleted when their
 * backoff is over.
 */
interface NodePlan extends DaemonPlan {
  readonly ended: readonly { readonly pod: PodObject; readonly node: string }[]
}

/** The pods by node, without finished pods that are terminating. */
export function podsByNode(pods: readonly PodObject[]): Map<string, PodObject[]> {
  const byNode = new Map<string, PodObject[]>()
  for (const pod of pods) {
    const { phase } = pod.status ?? {}
    const hasEnded = phase === 'Failed' || phase === 'Succeeded'
    const node = targetNode(pod)
    if (node === undefined || (hasEnded && isTerminating(pod))) continue
    const known = byNode.get(node)
    if (known === undefined) byNode.set(node, [pod])
    else known.push(pod)
  }
  return byNode
}

/**
 * Plans one pod on every node that should have one and none elsewhere, independent of the revision.
 */
export function nodePlan(state: DaemonState): NodePlan {
  const plans = state.nodes.map((node) => planOf(node, state))
  const exists = new Set(state.nodes.map(({ metadata }) => metadata.name))
  // The pod garbage collector deletes pods of a deleted node. This controller deletes those that
  // were never scheduled.
  const lost = [...state.podsOn]
    .filter(([node]) => !exists.has(node))
    .flatMap(([, pods]) => pods.filter((pod) => !pod.spec.nodeName && !isTerminating(pod)))
  return {
    create: plans.flatMap(({ create = [] }) => create),
    remove: [...plans.flatMap(({ remove = [] }) => remove), ...lost],
    ended: plans.flatMap(({ ended = [] }) => ended),
  }
}

function planOf(node: NodeView, state: DaemonState): Partial<NodePlan> {
  const { set, podsOn } = state
  const { name } = node.metadata
  const { shouldRun, mayStay } = fitnessOf(set, node)
  const pods = podsOn.get(name)
  if (shouldRun && pods === undefined) return { create: [name] }
  const staying = (pods ?? []).filter((pod) => !isTerminating(pod))
  if (!mayStay) return { remove: staying }
  const hasEnded = ({ status }: PodObject): boolean =>
    status?.phase === 'Failed' || status?.phase === 'Succeeded'
  const ended = staying.filter(hasEnded).map((pod) => ({ pod, node: name }))
  const running = staying.filter((pod) => !hasEnded(pod)).toSorted(byAge)
  if (!allowsSurge(set)) return { ended, remove: running.slice(1) }
  if (running.length === 0 && shouldRun) return { ended, create: [name] }
  return { ended, remove: running.length > 1 ? surplus(running, state) : [] }
}

/**
 * With surge, one old and one new pod may exist until the new one is available or the old one is
 * unready.
 */
function surplus(running: readonly PodObject[], state: DaemonState): readonly PodObject[] {
  const { hash, set, nowMs } = state
  const isNew = ({ metadata }: PodObject): boolean => metadata.labels?.[hashLabel] === hash
  const newest = running.find(isNew)
  const old = running.find((pod) => !isNew(pod))
  const further = running.filter((pod) => pod !== newest && pod !== old)
  if (newest === undefined || old === undefined) return further
  const isReplaced = isAvailable(newest, set.spec.minReadySeconds ?? 0, nowMs)
  return !isReady(old) || isReplaced ? [...further, old] : further
}

/** The maximum surge of a set for this number of nodes. */
export function surgeOf({ spec }: DaemonSetObject, nodes: number): number {
  const { type, rollingUpdate } = spec.updateStrategy ?? {}
  return type === 'RollingUpdate' ? scaledValue(rollingUpdate?.maxSurge, nodes, 'up') : 0
}

function allowsSurge(set: DaemonSetObject): boolean {
  return surgeOf(set, 1) > 0
}
