/**
 * controllers/: the controllers of a cluster, as ordinary Setpoint operators.
 *
 * Each folder is one controller: a value made with `operator(Kind)`, with its rules as pure
 * functions in the same folder. The controllers use the API as a user's program does, over a
 * connection that cluster/ gives them. They do not import the server.
 *
 * They do what the controllers of a real cluster do: the same objects, conditions, reasons,
 * revisions and Events. In the steady state they write nothing.
 */
import type { AnyOperator, Kind, RunningOperators } from 'setpoint'
import { APIService } from 'setpoint/kinds'
import {
  rootCertificateController,
  serviceAccountController,
} from './accounts/namespace-defaults.ts'
import {
  certificateApprovalController,
  certificateCleaningController,
  certificateSigningController,
  type CertificateOrder,
} from './certificates/index.ts'
import { autoscalerController } from './autoscaler/index.ts'
import { cronJobController } from './cronjob/index.ts'
import { aggregationController } from './cluster-roles/aggregation-controller.ts'
import { tokenController, type AccountTokenRequest } from './accounts/token-controller.ts'
import { daemonSetController } from './daemonset/index.ts'
import { deploymentController } from './deployment/deployment-controller.ts'
import { disruptionController, disruptionTargetController } from './disruption/index.ts'
import { endpointSliceController } from './endpoints/endpoint-slice-controller.ts'
import { endpointsController } from './endpoints/endpoints-controller.ts'
import { mirroringController } from './endpoints/mirroring-controller.ts'
import { GarbageCollector, type KindsInUse } from './garbage/garbage-collector.ts'
import { jobController, jobOrphanController, ttlAfterFinishedController } from './job/index.ts'
import { KeySource } from './key-source.ts'
import { namespaceController } from './namespace/namespace-controller.ts'
import { policyStatusController, type KindSchemas } from './policies/policy-status-controller.ts'
import { podCollector } from './pod-gc/index.ts'
import { QuotaKeySource, quotaController } from './quota/index.ts'
import { claimController } from './volumes/claim-controller.ts'
import { ephemeralVolumeController } from './volumes/ephemeral-controller.ts'
import type { RemoteKinds } from './served-kinds.ts'
import { claimProtection, volumeProtection } from './volumes/protection.ts'
import { volumeController } from './volumes/volume-controller.ts'
import { replicaSetController, replicationController } from './replicaset/replica-set-controller.ts'
import { statefulSetController } from './statefulset/index.ts'
import { taintEvictionController } from './taint-eviction/index.ts'

export type { AccountTokenRequest } from './accounts/token-controller.ts'
export type { KindSchemas } from './policies/policy-status-controller.ts'
export { garbageCollector, type KindsInUse } from './garbage/garbage-collector.ts'
export { builtinKinds, type RemoteKinds } from './served-kinds.ts'
export { startConditions, type ObjectChange, type StartCondition } from './start-conditions.ts'

/** The dependencies of the controllers. */
export interface ClusterControllersOptions {
  /** The certificate of the cluster's certificate authority (CA). */
  readonly caCert: string
  /** Signs a service account token that does not expire. */
  readonly accountToken: (request: AccountTokenRequest) => string
  /** Signs a certificate signing request with the cluster's CA. */
  readonly sign: (order: CertificateOrder) => string
  /** Which kinds have objects. Other kinds need no garbage collector yet. */
  readonly used: KindsInUse
  /** The schemas with which expressions of policies are checked. */
  readonly schemas: KindSchemas
  /** The kinds of aggregated APIs, as they are known now. */
  readonly remoteKinds: () => RemoteKinds
  /** Whether Services get Endpoints and EndpointSlices; by default they do. */
  readonly hasEndpoints?: boolean
  /** Starts operators of built-in kinds later, which share the caches of the others. */
  readonly add: (operators: readonly AnyOperator[]) => void
  /** Starts more operators, for kinds that are added later. */
  readonly launch: (operators: readonly AnyOperator[]) => Promise<RunningOperators>
}

export function clusterControllers(options: ClusterControllersOptions): AnyOperator[] {
  const { caCert, add, launch, sign, used, schemas, remoteKinds, hasEndpoints = true } = options
  const removals = new KeySource()
  const quotas = new QuotaKeySource()
  const controllers = [
    aggregationController,
    autoscalerController(),
    certificateApprovalController,
    certificateCleaningController,
    certificateSigningController(sign),
    claimController,
    claimProtection,
    ephemeralVolumeController,
    volumeController,
    volumeProtection,
    cronJobController(),
    daemonSetController(),
    deploymentController,
    disruptionController,
    disruptionTargetController,
    ...(hasEndpoints
      ? [endpointsController(), endpointSliceController(), mirroringController]
      : []),
    jobController(),
    jobOrphanController(),
    namespaceController(removals, remoteKinds),
    podCollector(),
    policyStatusController(schemas),
    quotaController(quotas),
    replicaSetController,
    replicationController,
    rootCertificateController(caCert),
    serviceAccountController,
    tokenController(options),
    statefulSetController,
    taintEvictionController(),
    ttlAfterFinishedController(),
  ]
  // The collector reads the specs of APIServices, too.
  const wholeKinds = kindsOf(controllers).add(APIService)
  const removed = (kind: Kind, namespace?: string): void => {
    if (namespace !== undefined) removals.add(namespace)
    quotas.removed(kind, namespace)
  }
  const garbage = new GarbageCollector({ wholeKinds, used, remoteKinds, add, launch, removed })
  return [...controllers, ...garbage.operators()]
}

/** The kinds that these operators cache. */
function kindsOf(operators: readonly AnyOperator[]): Set<Kind> {
  const kinds = operators.flatMap(({ declaration: { kind, owns, writes, watches } }) => [
    kind,
    ...owns,
    ...writes,
    ...watches.map((watch) => watch.kind),
  ])
  return new Set(kinds)
}
