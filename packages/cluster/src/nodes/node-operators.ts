import type { AnyOperator } from 'setpoint'
import type { PodBehaviours } from './behaviour/index.ts'
import { kubelet } from './kubelet.ts'
import { nodeAgent } from './node-agent.ts'
import type { SimulatedNode } from './node-options.ts'
import { scheduler } from './scheduler/index.ts'

/** The heartbeat interval of real kubelets. */
const heartbeatMsDefault = 10_000

/**
 * The operators of a cluster with nodes. Each runs with its own field manager, as its own process
 * would.
 */
export function nodeOperators(
  nodes: readonly SimulatedNode[],
  behaviours: PodBehaviours,
  options: { readonly heartbeatMs?: number | undefined; readonly recordsEvents?: boolean } = {},
): Readonly<Record<'scheduler' | 'agent' | 'kubelet', AnyOperator>> {
  const { heartbeatMs = heartbeatMsDefault, recordsEvents = true } = options
  return {
    scheduler: scheduler(recordsEvents),
    agent: nodeAgent(nodes, heartbeatMs),
    kubelet: kubelet({ nodes, behaviours }),
  }
}
