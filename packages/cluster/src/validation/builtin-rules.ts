import {
  mutatingAdmissionPolicyBindingRules,
  mutatingAdmissionPolicyRules,
  validatingAdmissionPolicyBindingRules,
  validatingAdmissionPolicyRules,
} from './admissionregistration/admission-policy-rules.ts'
import { apiServiceRules } from './apiregistration/api-service-rules.ts'
import { certificateSigningRequestRules } from './certificates/certificate-signing-request-rules.ts'
import { configMapRules } from './core/config-map-rules.ts'
import { cronJobRules } from './batch/cron-job-validation.ts'
import { customResourceDefinitionRules } from './apiextensions/custom-resource-definition-rules.ts'
import { daemonSetRules } from './apps/daemon-set-rules.ts'
import { deploymentRules } from './apps/deployment-rules.ts'
import { endpointSliceRules, endpointsRules } from './core/endpoints-rules.ts'
import { eventRules, eventsEventRules } from './core/event-rules.ts'
import { flowSchemaRules, priorityLevelRules } from './flowcontrol/flow-schema-rules.ts'
import { horizontalPodAutoscalerRules } from './autoscaling/horizontal-pod-autoscaler-rules.ts'
import { ingressClassRules, ingressRules } from './networking/ingress-rules.ts'
import { jobRules } from './batch/job-validation.ts'
import type { CheckedKind } from './kind-rules.ts'
import { limitRangeRules } from './core/limit-range-rules.ts'
import {
  ipAddressRules,
  networkPolicyRules,
  serviceCidrRules,
} from './networking/network-policy-rules.ts'
import { nodeRules } from './core/node-rules.ts'
import { persistentVolumeClaimRules } from './core/persistent-volume-claim-rules.ts'
import { persistentVolumeRules } from './core/persistent-volume-rules.ts'
import { podRules } from './pod/pod-rules.ts'
import {
  clusterRoleBindingRules,
  clusterRoleRules,
  roleBindingRules,
  roleRules,
} from './rbac/role-rules.ts'
import { replicaSetRules } from './apps/replica-set-rules.ts'
import { replicationControllerRules } from './core/replication-controller-rules.ts'
import { resourceQuotaRules } from './core/resource-quota-rules.ts'
import { secretRules } from './core/secret-rules.ts'
import { serviceRules } from './core/service-rules.ts'
import {
  controllerRevisionRules,
  leaseRules,
  namespaceRules,
  podDisruptionBudgetRules,
  podTemplateRules,
  priorityClassRules,
  runtimeClassRules,
  serviceAccountRules,
} from './small-kind-rules.ts'
import { statefulSetRules } from './apps/stateful-set-rules.ts'
import {
  csiDriverRules,
  csiNodeRules,
  csiStorageCapacityRules,
  storageClassRules,
  volumeAttachmentRules,
  volumeAttributesClassRules,
} from './storage/storage-rules.ts'
import {
  mutatingWebhookRules,
  validatingWebhookRules,
} from './admissionregistration/webhook-configuration-rules.ts'

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

/** The rules of a built-in kind by its plural name. */
export function rulesOfResource(group: string, resource: string): CheckedKind | undefined {
  return byResource.get(`${group}/${resource}`)
}
