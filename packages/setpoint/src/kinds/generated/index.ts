// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

export {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from './admissionregistration-v1.ts'
export type * from './admissionregistration-v1.ts'
export { CustomResourceDefinition } from './apiextensions-v1.ts'
export type * from './apiextensions-v1.ts'
export { APIService } from './apiregistration-v1.ts'
export type * from './apiregistration-v1.ts'
export { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from './apps-v1.ts'
export type * from './apps-v1.ts'
export { SelfSubjectReview, TokenReview } from './authentication-v1.ts'
export type * from './authentication-v1.ts'
export {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from './authorization-v1.ts'
export type * from './authorization-v1.ts'
export { HorizontalPodAutoscalerV1 } from './autoscaling-v1.ts'
export type * from './autoscaling-v1.ts'
export { HorizontalPodAutoscaler } from './autoscaling-v2.ts'
export type * from './autoscaling-v2.ts'
export { CronJob, Job } from './batch-v1.ts'
export type * from './batch-v1.ts'
export { CertificateSigningRequest } from './certificates-v1.ts'
export type * from './certificates-v1.ts'
export { Lease } from './coordination-v1.ts'
export type * from './coordination-v1.ts'
export {
  Binding,
  ComponentStatus,
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from './core-v1.ts'
export type * from './core-v1.ts'
export { EndpointSlice } from './discovery-v1.ts'
export type * from './discovery-v1.ts'
export { EventsEvent } from './events-v1.ts'
export type * from './events-v1.ts'
export { FlowSchema, PriorityLevelConfiguration } from './flowcontrol-v1.ts'
export type * from './flowcontrol-v1.ts'
export type * from './meta-v1.ts'
export { IPAddress, Ingress, IngressClass, NetworkPolicy, ServiceCIDR } from './networking-v1.ts'
export type * from './networking-v1.ts'
export { RuntimeClass } from './node-v1.ts'
export type * from './node-v1.ts'
export { PodDisruptionBudget } from './policy-v1.ts'
export type * from './policy-v1.ts'
export { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './rbac-v1.ts'
export type * from './rbac-v1.ts'
export { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from './resource-v1.ts'
export type * from './resource-v1.ts'
export { PriorityClass } from './scheduling-v1.ts'
export type * from './scheduling-v1.ts'
export {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from './storage-v1.ts'
export type * from './storage-v1.ts'
