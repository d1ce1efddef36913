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
import { clusterControllers, type ClusterControllersOptions } from '../controllers/index.ts'
import type { InProcessOperators } from './in-process-operators.ts'

/** The components of a cluster and their dependencies. */
interface ComponentOptions extends Omit<ClusterControllersOptions, 'launch'> {
  readonly host: Host
  readonly controllers: InProcessOperators
  readonly workloads: 'off' | undefined
  readonly nodes: 'off' | NodesOption | undefined
  readonly behaviours: PodBehaviours
  /** Process nodes, instead of simulated ones. */
  readonly processes: (Pick<OpenProcesses, 'nodes' | 'operators'> & { api: ProcessApi }) | undefined
  /** The operators of the user. */
  readonly operators: readonly AnyOperator[]
}

/** The users of components inside of the cluster. */
const controllerManager = { name: 'system:kube-controller-manager', groups: ['system:masters'] }
const administrator = { name: 'admin', groups: ['system:masters'] }

const virtualHeartbeatMs = 24 * 3_600_000

/**
 * Starts the components of a cluster: its controllers, its nodes with scheduler and kubelets, and
 * the operators of its user. The built-in ones run as one process, so that they share their caches.
 */
export async function startComponents(options: ComponentOptions): Promise<void> {
  const { host, controllers, workloads, nodes: nodeOptions, behaviours, operators } = options
  if (workloads !== 'off') {
    const launch = (further: readonly AnyOperator[]): Promise<RunningOperators> =>
      controllers.start(withoutPausing(further), controllerManager)
    // In virtual time a day can pass in one step. Then frequent heartbeats would be most of the
    // work.
    const heartbeatMs = isVirtual(host) ? virtualHeartbeatMs : undefined
    const { processes } = options
    const nodes = processes?.nodes ?? (nodeOptions === 'off' ? [] : simulatedNodes(nodeOptions))
    const { scheduler, kubelets } = nodeOperators(nodes, behaviours, heartbeatMs)
    const simulated = [scheduler, ...kubelets]
    const nodeComponents = [
      ...(processes?.operators(processes.api) ?? simulated),
      claimProvisioner(),
      volumeRemover(),
    ]
    const { client } = await launch([
      ...clusterControllers({ ...options, launch }),
      nodeController(),
      ...(nodeOptions === 'off' ? [] : nodeComponents),
    ])
    await registerNodes(client, nodes, host.now())
    if (nodeOptions !== 'off') await registerStorage(client)
  }
  // Installs the CustomResourceDefinitions of the user's operators.
  if (operators.length > 0) await controllers.start(operators, administrator, { install: true })
}

/**
 * The annotation setpoint.dev/paused is meant for users' operators. The components of the cluster
 * ignore it.
 */
function withoutPausing(operators: readonly AnyOperator[]): AnyOperator[] {
  return operators.map(({ declaration }) => ({
    declaration: { ...declaration, options: { ...declaration.options, pausable: false } },
  }))
}
