import { isWantedNode, type NodeView } from '../placement/node-selector.ts'
import { untolerated } from '../placement/taints.ts'
import { tolerationsOf, type DaemonSetObject } from './daemon-pod.ts'

/** What a node means to a daemon set. */
interface Fitness {
  /** It should have a pod. */
  readonly shouldRun: boolean
  /** A pod that it has may stay. */
  readonly mayStay: boolean
}

/** Whether a node should get a pod of the set, and whether one that is there may stay. */
export function fitnessOf({ spec: { template } }: DaemonSetObject, node: NodeView): Fitness {
  const { spec = { containers: [] } } = template
  const { nodeName = '' } = spec
  const isOther = nodeName !== '' && nodeName !== node.metadata.name
  if (isOther || !isWantedNode({ spec }, node)) return { shouldRun: false, mayStay: false }
  const pod = { spec: { tolerations: tolerationsOf(spec) } }
  const isFree = untolerated(pod, node, ['NoExecute', 'NoSchedule']).length === 0
  return { shouldRun: isFree, mayStay: untolerated(pod, node, ['NoExecute']).length === 0 }
}
