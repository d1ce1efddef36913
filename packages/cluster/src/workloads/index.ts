/**
 * workloads/: the controllers of a cluster, as ordinary Setpoint operators.
 *
 * Each folder is one controller: a value made with `operator(Kind)`, its rules as pure functions beside it. They talk to
 * the API like a user's program, over a connection that cluster/ gives them, and know nothing of how it is served.
 *
 * They promise what those of a real cluster do: the same objects, conditions, reasons, revisions and Events. In a steady
 * state they write nothing.
 */
import type { AnyOperator, Kind, RunningOperators } from 'setpoint'
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
import { KeyFeed } from './key-feed.ts'
import { namespaceController } from './namespace/namespace-controller.ts'
import { podCollector } from './pod-gc/index.ts'
import { QuotaFeed, quotaController } from './quota/index.ts'
import { claimController } from './volumes/claim-controller.ts'
import { ephemeralVolumeController } from './volumes/ephemeral-controller.ts'
import { claimProtection, volumeProtection } from './volumes/protection.ts'
import { volumeController } from './volumes/volume-controller.ts'
import { replicaSetController, replicationController } from './replicaset/replica-set-controller.ts'
import { statefulSetController } from './statefulset/index.ts'
import { taintEvictionController } from './taint-eviction/index.ts'

export type { AccountTokenRequest } from './accounts/token-controller.ts'
export type { KindsInUse } from './garbage/garbage-collector.ts'

/** What controllers need of the cluster they belong to. */
export interface WorkloadOptions {
  /** The certificate of the cluster's authority. */
  readonly caCert: string
  /** Signs a token of a service account that lasts. */
  readonly accountToken: (request: AccountTokenRequest) => string
  /** Signs a request for a certificate with the cluster's authority. */
  readonly sign: (order: CertificateOrder) => string
  /** Which kinds have objects: nobody needs to look after the others yet. */
  readonly used: KindsInUse
  /** Starts further operators, for kinds that come later. */
  readonly launch: (operators: readonly AnyOperator[]) => Promise<RunningOperators>
}

/** All controllers. */
export function workloadControllers(options: WorkloadOptions): AnyOperator[] {
  const { caCert, launch, sign, used } = options
  const removals = new KeyFeed()
  const quotas = new QuotaFeed()
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
    endpointsController(),
    endpointSliceController(),
    jobController(),
    jobOrphanController(),
    mirroringController,
    namespaceController(removals),
    podCollector(),
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
  const wholeKinds = kindsOf(controllers)
  const removed = (kind: Kind, namespace: string): void => {
    removals.add(namespace)
    quotas.removed(kind, namespace)
  }
  const garbage = new GarbageCollector({ wholeKinds, used, launch, removed })
  return [...controllers, ...garbage.operators()]
}

/** The kinds that operators keep in their caches. */
function kindsOf(operators: readonly AnyOperator[]): Set<Kind> {
  const kinds = operators.flatMap(({ declaration: { kind, owns, writes, watches } }) => [
    ...[kind, ...owns, ...writes],
    ...watches.map((watch) => watch.kind),
  ])
  return new Set(kinds)
}
