import type { AnyOperator } from 'setpoint'
import type { PodBehaviours } from './behaviour/index.ts'
import { kubelet } from './kubelet.ts'
import { nodeAgent } from './node-agent.ts'
import type { SimulatedNode } from './node-options.ts'
import { scheduler } from './scheduler/index.ts'

/** The operators of a cluster that has nodes, each as a process of its own: who writes is seen in managed fields. */
export function nodeOperators(
  nodes: readonly SimulatedNode[],
  behaviours: PodBehaviours,
): { readonly scheduler: AnyOperator; readonly kubelets: readonly AnyOperator[] } {
  return {
    scheduler: scheduler(),
    kubelets: [nodeAgent(nodes), kubelet({ nodes, behaviours })],
  }
}
