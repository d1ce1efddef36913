import { satisfiesNodeRequirements, type NodeView } from '../placement/node-selector.ts'
import { untolerated } from '../placement/taints.ts'
import { tolerationsOf, type DaemonSetObject } from './daemon-pod.ts'

/** The relation of a node to a DaemonSet. */
interface Fitness {
  /** The node should have a pod. */
  readonly shouldRun: boolean
  /** An existing pod may keep running. */
  readonly mayStay: boolean
}

/**
 * Decides whether a node should have a pod of the set, and whether an existing pod may keep
 * running.
 */
export function fitnessOf({ spec: { template } }: DaemonSetObject, node: NodeView): Fitness {
  const { spec = { containers: [] } } = template
  const { nodeName = '' } = spec
  const isOther = nodeName !== '' && nodeName !== node.metadata.name
  if (isOther || !satisfiesNodeRequirements({ spec }, node))
    return { shouldRun: false, mayStay: false }
  const pod = { spec: { tolerations: tolerationsOf(spec) } }
  const isFree = untolerated(pod, node, ['NoExecute', 'NoSchedule']).length === 0
  return { shouldRun: isFree, mayStay: untolerated(pod, node, ['NoExecute']).length === 0 }
}
