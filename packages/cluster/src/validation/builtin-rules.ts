import {
  mutatingAdmissionPolicyBindingRules,
  mutatingAdmissionPolicyRules,
  validatingAdmissionPolicyBindingRules,
  validatingAdmissionPolicyRules,
} from './admission-policy.ts'
import { apiServiceRules } from './api-service.ts'
import { certificateSigningRequestRules } from './certificate-signing-request.ts'
import { configMapRules } from './config-map.ts'
import { cronJobRules } from './cron-job.ts'
import { customResourceDefinitionRules } from './custom-resource-definition.ts'
import { daemonSetRules } from './daemon-set.ts'
import { deploymentRules } from './deployment.ts'
import { endpointSliceRules, endpointsRules } from './endpoints.ts'
import { eventRules, eventsEventRules } from './event.ts'
import { flowSchemaRules, priorityLevelRules } from './flow-schema.ts'
import { horizontalPodAutoscalerRules } from './horizontal-pod-autoscaler.ts'
import { ingressClassRules, ingressRules } from './ingress.ts'
import { jobRules } from './job.ts'
import type { CheckedKind } from './kind-rules.ts'
import { limitRangeRules } from './limit-range.ts'
import { ipAddressRules, networkPolicyRules, serviceCidrRules } from './network-policy.ts'
import { nodeRules } from './node.ts'
import { persistentVolumeClaimRules } from './persistent-volume-claim.ts'
import { persistentVolumeRules } from './persistent-volume.ts'
import { podRules } from './pod.ts'
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from './rbac.ts'
import { replicaSetRules } from './replica-set.ts'
import { replicationControllerRules } from './replication-controller.ts'
import { resourceQuotaRules } from './resource-quota.ts'
import { secretRules } from './secret.ts'
import { serviceRules } from './service.ts'
import {
  controllerRevisionRules,
  leaseRules,
  namespaceRules,
  podDisruptionBudgetRules,
  podTemplateRules,
  priorityClassRules,
  runtimeClassRules,
  serviceAccountRules,
} from './small-kinds.ts'
import { statefulSetRules } from './stateful-set.ts'
import {
  csiDriverRules,
  csiNodeRules,
  csiStorageCapacityRules,
  storageClassRules,
  volumeAttachmentRules,
  volumeAttributesClassRules,
} from './storage.ts'
import { mutatingWebhookRules, validatingWebhookRules } from './webhook-configuration.ts'

const all: readonly CheckedKind[] = [
  apiServiceRules,
  certificateSigningRequestRules,
  customResourceDefinitionRules,
  flowSchemaRules,
  mutatingAdmissionPolicyBindingRules,
  mutatingAdmissionPolicyRules,
  mutatingWebhookRules,
  priorityLevelRules,
  validatingAdmissionPolicyBindingRules,
  validatingAdmissionPolicyRules,
  validatingWebhookRules,
  clusterRoleBindingRules,
  clusterRoleRules,
  configMapRules,
  controllerRevisionRules,
  cronJobRules,
  csiDriverRules,
  csiNodeRules,
  csiStorageCapacityRules,
  daemonSetRules,
  deploymentRules,
  endpointSliceRules,
  endpointsRules,
  eventRules,
  eventsEventRules,
  horizontalPodAutoscalerRules,
  ingressClassRules,
  ingressRules,
  ipAddressRules,
  jobRules,
  leaseRules,
  limitRangeRules,
  namespaceRules,
  networkPolicyRules,
  nodeRules,
  persistentVolumeClaimRules,
  persistentVolumeRules,
  podDisruptionBudgetRules,
  podRules,
  podTemplateRules,
  priorityClassRules,
  replicaSetRules,
  replicationControllerRules,
  resourceQuotaRules,
  roleBindingRules,
  roleRules,
  runtimeClassRules,
  secretRules,
  serviceAccountRules,
  serviceCidrRules,
  serviceRules,
  statefulSetRules,
  storageClassRules,
  volumeAttachmentRules,
  volumeAttributesClassRules,
]

const byKind = new Map(all.map((rules) => [`${rules.group}/${rules.kind}`, rules]))
const byResource = new Map(all.map((rules) => [`${rules.group}/${rules.resource}`, rules]))

/** The rules of a built-in kind, if it has any. */
export function rulesOfKind(group: string, kind: string): CheckedKind | undefined {
  return byKind.get(`${group}/${kind}`)
}

/** The same by the plural name. */
export function rulesOfResource(group: string, resource: string): CheckedKind | undefined {
  return byResource.get(`${group}/${resource}`)
}
