import type { Random } from 'setpoint/host'
import type { RbacAuthorizer } from '../auth/index.ts'
import type { OutboundCalls } from '../outbound/index.ts'
import type { Store } from '../store/index.ts'
import type { Admission, AdmissionAttributes } from './admission.ts'
import type { AdmissionMeter } from './admission-meter.ts'
import { certificateApproval, certificateSigning } from './certificate-signers.ts'
import { certificateSubject } from './certificate-subject.ts'
import { claimResize } from './claim-resize.ts'
import { ClusterReader } from './cluster-reader.ts'
import { limitRanger } from './limit-ranger.ts'
import { namespaceLifecycle } from './namespace-lifecycle.ts'
import { MutationPass } from './mutation-pass.ts'
import type { Plugin } from './plugin.ts'
import { type FindParamKind, mutatingPolicies, validatingPolicies } from './policies/index.ts'
import { podSecurity } from './pod-security/index.ts'
import { podPriority } from './pods/pod-priority.ts'
import { podTopologyLabels } from './pods/pod-topology-labels.ts'
import { rbacEscalation } from './rbac-escalation.ts'
import { resourceQuota, type WriteStatus } from './quota/index.ts'
import { runtimeClass } from './pods/runtime-class.ts'
import { serviceAccount } from './pods/service-account.ts'
import { defaultIngressClass, defaultStorageClass } from './default-classes.ts'
import { defaultTolerationSeconds } from './pods/default-toleration-seconds.ts'
import { nodeNotReadyTaint } from './pods/node-not-ready-taint.ts'
import { storageProtection } from './storage-protection.ts'
import { mutatingWebhooks, validatingWebhooks } from './webhooks/index.ts'

/** The dependencies of the plugins. */
interface AdmissionDependencies {
  readonly store: Store
  readonly host: Random
  readonly authorizer: RbacAuthorizer
  readonly writeStatus: WriteStatus
  /** Calls webhooks. */
  readonly calls: OutboundCalls
  /** Finds the kinds of the parameters of policies. */
  readonly findParamKind: FindParamKind
  readonly meter: AdmissionMeter
}

/** The plugins of a default cluster, in a real server's order. */
export function clusterAdmission({
  store,
  host,
  authorizer,
  writeStatus,
  calls,
  findParamKind,
  meter,
}: AdmissionDependencies): Admission {
  const cluster = new ClusterReader(store)
  const plugins: readonly Plugin[] = [
    namespaceLifecycle(cluster),
    limitRanger(cluster),
    serviceAccount(cluster, host),
    nodeNotReadyTaint,
    podSecurity(cluster),
    podPriority(cluster),
    defaultTolerationSeconds,
    defaultStorageClass(cluster),
    storageProtection,
    claimResize(cluster),
    runtimeClass(cluster),
    certificateApproval(authorizer),
    certificateSigning(authorizer),
    certificateSubject,
    defaultIngressClass(cluster),
    podTopologyLabels(cluster),
    rbacEscalation(authorizer),
    mutatingPolicies(cluster, { authorizer, findParamKind, meter }),
    mutatingWebhooks(cluster, { calls, host, authorizer, meter }),
    validatingPolicies(cluster, { authorizer, findParamKind, meter }),
    validatingWebhooks(cluster, { calls, host, authorizer, meter }),
    resourceQuota(cluster, writeStatus),
  ]
  const measured = async (
    type: 'admit' | 'validate',
    { operation }: AdmissionAttributes,
    run: () => Promise<void>,
  ): Promise<void> => {
    const startMs = meter.nowMs()
    let isRejected = true
    try {
      await run()
      isRejected = false
    } finally {
      meter.step(type, operation, { startMs, isRejected })
    }
  }
  return {
    mutate: (attributes) =>
      measured('admit', attributes, async () => {
        const pass = new MutationPass()
        do {
          for (const plugin of plugins) {
            const pending = plugin.mutate?.(attributes, pass)
            if (pending !== undefined) await pending
          }
        } while (pass.beginSecond())
      }),
    validate: (attributes) =>
      measured('validate', attributes, async () => {
        for (const plugin of plugins) {
          const pending = plugin.validate?.(attributes)
          if (pending !== undefined) await pending
        }
      }),
  }
}
