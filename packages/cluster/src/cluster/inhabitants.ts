import type { AnyOperator, RunningOperators } from 'setpoint'
import type { Host } from 'setpoint/host'
import { isVirtual } from './is-virtual.ts'
import {
  claimProvisioner,
  nodeController,
  nodeOperators,
  registerNodes,
  registerStorage,
  simulatedNodes,
  volumeRemover,
  type NodesOption,
  type OpenProcesses,
  type PodBehaviours,
  type ProcessApi,
} from '../nodes/index.ts'
import { workloadControllers, type WorkloadOptions } from '../workloads/index.ts'
import type { Controllers } from './controllers.ts'

/** What is to live in a cluster. */
interface Inhabitants extends Omit<WorkloadOptions, 'launch'> {
  readonly host: Host
  readonly controllers: Controllers
  readonly workloads: 'off' | undefined
  readonly nodes: 'off' | NodesOption | undefined
  readonly behaviours: PodBehaviours
  /** Nodes that run processes, in place of those that are played. */
  readonly processes: (Pick<OpenProcesses, 'nodes' | 'operators'> & { api: ProcessApi }) | undefined
  /** The user's own. */
  readonly operators: readonly AnyOperator[]
}

/** Those whom programs inside of the cluster act as. */
const controllerManager = { name: 'system:kube-controller-manager', groups: ['system:masters'] }
const administrator = { name: 'admin', groups: ['system:masters'] }

const rareHeartbeatMs = 24 * 3_600_000

/**
 * Brings a cluster to life: its controllers, its nodes with their scheduler and kubelets, and the operators of its user.
 * Those that every cluster has are one process, so that they share their caches.
 */
export async function settleIn(inhabitants: Inhabitants): Promise<void> {
  const { host, controllers, workloads, nodes: wanted, behaviours, operators } = inhabitants
  if (workloads !== 'off') {
    const launch = (further: readonly AnyOperator[]): Promise<RunningOperators> =>
      controllers.start(unpausable(further), controllerManager)
    // Where time costs nothing a day may pass at once: then heartbeats are most of what there is to do.
    const heartbeatMs = isVirtual(host) ? rareHeartbeatMs : undefined
    const { processes } = inhabitants
    const nodes = processes?.nodes ?? (wanted === 'off' ? [] : simulatedNodes(wanted))
    const { scheduler, kubelets } = nodeOperators(nodes, behaviours, heartbeatMs)
    const played = [scheduler, ...kubelets]
    const onNodes = [
      ...(processes?.operators(processes.api) ?? played),
      ...[claimProvisioner(), volumeRemover()],
    ]
    const { client } = await launch([
      ...workloadControllers({ ...inhabitants, launch }),
      nodeController(),
      ...(wanted === 'off' ? [] : onNodes),
    ])
    await registerNodes(client, nodes, host.now())
    if (wanted !== 'off') await registerStorage(client)
  }
  // What they serve need not be installed by hand.
  if (operators.length > 0) await controllers.start(operators, administrator, { install: true })
}

/** Who pauses an object means its operators: what makes a cluster a cluster goes on. */
function unpausable(operators: readonly AnyOperator[]): AnyOperator[] {
  return operators.map(({ declaration }) => ({
    declaration: { ...declaration, options: { ...declaration.options, pausable: false } },
  }))
}
