import { scaledValue } from '../scaled-value.ts'
import { isAvailable, isReady, type PodObject } from '../pods/pod-state.ts'
import type { NodeView } from '../placement/node-selector.ts'
import { byAge, hashLabel, targetNode, type DaemonSetObject } from './daemon-pod.ts'
import { fitnessOf } from './node-fitness.ts'

/** A set as it is seen in a run. */
export interface DaemonSight {
  readonly set: DaemonSetObject
  readonly nodes: readonly NodeView[]
  /** The pods of the set by the node that they are on or meant for. */
  readonly podsOn: ReadonlyMap<string, readonly PodObject[]>
  /** What pods of the newest template are marked with. */
  readonly hash: string
  readonly nowMs: number
}

/** What is to be done. */
export interface DaemonPlan {
  /** Nodes that lack a pod. */
  readonly create: readonly string[]
  readonly remove: readonly PodObject[]
}

/** What is to be done, and pods that came to an end where one should run: they go when their time has come. */
interface NodePlan extends DaemonPlan {
  readonly ended: readonly { readonly pod: PodObject; readonly node: string }[]
}

/** The pods by node; those that have ended and are going are of no interest any more. */
export function podsByNode(pods: readonly PodObject[]): Map<string, PodObject[]> {
  const byNode = new Map<string, PodObject[]>()
  for (const pod of pods) {
    const { phase } = pod.status ?? {}
    const hasEnded = phase === 'Failed' || phase === 'Succeeded'
    const node = targetNode(pod)
    if (node === undefined || (hasEnded && isGoing(pod))) continue
    const known = byNode.get(node)
    if (known === undefined) byNode.set(node, [pod])
    else known.push(pod)
  }
  return byNode
}

/** One pod on every node that should have one and none elsewhere, whatever their revision. */
export function nodePlan(sight: DaemonSight): NodePlan {
  const plans = sight.nodes.map((node) => planOf(node, sight))
  const exists = new Set(sight.nodes.map(({ metadata }) => metadata.name))
  // Pods on a node that is gone are left to others, but those that never got there nobody else knows.
  const lost = [...sight.podsOn]
    .filter(([node]) => !exists.has(node))
    .flatMap(([, pods]) => pods.filter((pod) => !pod.spec.nodeName && !isGoing(pod)))
  return {
    create: plans.flatMap(({ create = [] }) => create),
    remove: [...plans.flatMap(({ remove = [] }) => remove), ...lost],
    ended: plans.flatMap(({ ended = [] }) => ended),
  }
}

function planOf(node: NodeView, sight: DaemonSight): Partial<NodePlan> {
  const { set, podsOn } = sight
  const { name } = node.metadata
  const { shouldRun, mayStay } = fitnessOf(set, node)
  const pods = podsOn.get(name)
  if (shouldRun && pods === undefined) return { create: [name] }
  const staying = (pods ?? []).filter((pod) => !isGoing(pod))
  if (!mayStay) return { remove: staying }
  const hasEnded = ({ status }: PodObject): boolean =>
    status?.phase === 'Failed' || status?.phase === 'Succeeded'
  const ended = staying.filter(hasEnded).map((pod) => ({ pod, node: name }))
  const running = staying.filter((pod) => !hasEnded(pod)).toSorted(byAge)
  if (!allowsSurge(set)) return { ended, remove: running.slice(1) }
  if (running.length === 0 && shouldRun) return { ended, create: [name] }
  return { ended, remove: running.length > 1 ? surplus(running, sight) : [] }
}

/** With surge, one old and one new pod may be there until the new one is available or the old one is lost. */
function surplus(running: readonly PodObject[], sight: DaemonSight): readonly PodObject[] {
  const { hash, set, nowMs } = sight
  const isNew = ({ metadata }: PodObject): boolean => metadata.labels?.[hashLabel] === hash
  const newest = running.find(isNew)
  const old = running.find((pod) => !isNew(pod))
  const further = running.filter((pod) => pod !== newest && pod !== old)
  if (newest === undefined || old === undefined) return further
  const isReplaced = isAvailable(newest, set.spec.minReadySeconds ?? 0, nowMs)
  return !isReady(old) || isReplaced ? [...further, old] : further
}

/** How many pods more than one a set may have on a node, of this many nodes. */
export function surgeOf({ spec }: DaemonSetObject, nodes: number): number {
  const { type, rollingUpdate } = spec.updateStrategy ?? {}
  return type === 'RollingUpdate' ? scaledValue(rollingUpdate?.maxSurge, nodes, 'up') : 0
}

/** Whether a pod is on its way out. */
export function isGoing({ metadata }: PodObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

function allowsSurge(set: DaemonSetObject): boolean {
  return surgeOf(set, 1) > 0
}
