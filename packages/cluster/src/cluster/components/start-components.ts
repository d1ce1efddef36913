import type { AnyOperator, RunningOperators } from 'setpoint'
import type { Host } from 'setpoint/host'
import { Node, Pod, StorageClass } from 'setpoint/kinds'
import { isVirtual } from '../is-virtual.ts'
import {
  admitNodes,
  claimProvisioner,
  defaultStorageClass,
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
} from '../../nodes/index.ts'
import { clusterControllers, type ClusterControllersOptions } from '../../controllers/index.ts'
import type { LeftOut } from '../cluster-options.ts'
import type { InProcessOperators } from './in-process-operators.ts'
import type { KindUse } from './kind-use.ts'
import { LazyOperators } from './lazy-operators.ts'
import type { SettledOperators } from './settled.ts'

/** The components of a cluster and their dependencies. */
interface ComponentOptions extends Omit<ClusterControllersOptions, 'launch' | 'add'> {
  readonly host: Host
  readonly controllers: InProcessOperators
  readonly used: KindUse
  readonly settled: SettledOperators
  readonly workloads: 'off' | undefined
  readonly leaveOut: readonly LeftOut[] | undefined
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
 * the operators of its user. The built-in ones run as one process, so that they share their caches,
 * and start when there is work for them. Returns them.
 */
export async function startComponents(
  options: ComponentOptions,
): Promise<LazyOperators | undefined> {
  const { controllers, workloads, operators } = options
  const builtin = workloads === 'off' ? undefined : await startBuiltin(options)
  // Installs the CustomResourceDefinitions of the user's operators.
  if (operators.length > 0) await controllers.start(operators, administrator, { install: true })
  return builtin
}

async function startBuiltin(options: ComponentOptions): Promise<LazyOperators> {
  const { host, controllers, nodes: nodeOptions, behaviours, processes, used, leaveOut } = options
  const builtin = (operators: readonly AnyOperator[]): AnyOperator[] =>
    asBuiltin(operators, leaveOut)
  const launch = (operators: readonly AnyOperator[]): Promise<RunningOperators> =>
    controllers.start(builtin(operators), controllerManager)
  // In virtual time a day can pass in one step. Then frequent heartbeats would be most of the work.
  const heartbeatMs = isVirtual(host) ? virtualHeartbeatMs : undefined
  const nodes = processes?.nodes ?? (nodeOptions === 'off' ? [] : simulatedNodes(nodeOptions))
  const { scheduler, agent, kubelet } = nodeOperators(nodes, behaviours, {
    heartbeatMs,
    recordsEvents: leaveOut?.includes('events') !== true,
  })
  // The operators of processes look for those of an earlier cluster when they start.
  const process = await launch(processes?.operators(processes.api) ?? [])
  const lazy = new LazyOperators({ ...options, process })
  const add = (added: readonly AnyOperator[]): void => lazy.startNow(builtin(added))
  const hasEndpoints = leaveOut?.includes('endpoints') !== true
  const hasHeartbeats = leaveOut?.includes('heartbeats') !== true
  const agents = hasHeartbeats ? [agent] : []
  const simulated = processes === undefined ? [scheduler, ...agents, kubelet] : []
  const nodeComponents = [...simulated, claimProvisioner(), volumeRemover()]
  lazy.add(
    builtin([
      ...clusterControllers({ ...options, add, launch, hasEndpoints }),
      ...(hasHeartbeats ? [nodeController()] : []),
      ...(nodeOptions === 'off' ? [] : nodeComponents),
    ]),
  )
  behaviours.onChange(() => {
    if (!used.isEmpty(Pod)) lazy.start('kubelet')
  })
  // A cluster that starts from a snapshot has them.
  const missing = nodes.filter(({ name }) => !used.hasObject(Node, name))
  await registerNodes(process.client, missing, host.now())
  if (!hasHeartbeats) await admitNodes(process.client, missing)
  const hasStorage = used.hasObject(StorageClass, defaultStorageClass)
  if (nodeOptions !== 'off' && !hasStorage) await registerStorage(process.client)
  return lazy
}

/**
 * The annotation setpoint.dev/paused is meant for users' operators. The components of the cluster
 * ignore it.
 */
function asBuiltin(
  operators: readonly AnyOperator[],
  leaveOut: readonly LeftOut[] = [],
): AnyOperator[] {
  const silent = leaveOut.includes('events') ? { eventSource: false as const } : {}
  return operators.map(({ declaration }) => ({
    declaration: {
      ...declaration,
      options: { ...declaration.options, ...silent, pausable: false },
    },
  }))
}
