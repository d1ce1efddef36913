/**
 * kinds/: the kinds of Kubernetes. A value and a type for every resource kind of 1.36, so that
 * `Deployment` is the argument for a client, an operator or RBAC and also the type of its objects.
 * Everything above takes a `Kind`; users import from `setpoint/kinds`.
 *
 * Types and identities in generated/ are written by scripts/generate-kinds from a real API server's
 * documents. Where two groups share a name, the plain name is the more common one:
 * `HorizontalPodAutoscaler` is autoscaling/v2 (`HorizontalPodAutoscalerV1` the older one), `Event`
 * is the core one (`EventsEvent` that of events.k8s.io).
 *
 * It contains pure data and pure functions; importing one kind does not bundle the others.
 */

export type * from './generated/index.ts'

export {
  APIService,
  Binding,
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  CertificateSigningRequest,
  ClusterRole,
  ClusterRoleBinding,
  ComponentStatus,
  ConfigMap,
  ControllerRevision,
  CronJob,
  CustomResourceDefinition,
  DeviceClass,
  EndpointSlice,
  Endpoints,
  Event,
  EventsEvent,
  FlowSchema,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  IPAddress,
  Ingress,
  IngressClass,
  Lease,
  LimitRange,
  LocalSubjectAccessReview,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  Namespace,
  NetworkPolicy,
  Node,
  PersistentVolume,
  PodDisruptionBudget,
  PodTemplate,
  PriorityClass,
  PriorityLevelConfiguration,
  ReplicationController,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceQuota,
  ResourceSlice,
  Role,
  RoleBinding,
  RuntimeClass,
  Secret,
  SelfSubjectAccessReview,
  SelfSubjectReview,
  SelfSubjectRulesReview,
  Service,
  ServiceAccount,
  ServiceCIDR,
  StorageClass,
  SubjectAccessReview,
  TokenReview,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
  VolumeAttachment,
  VolumeAttributesClass,
} from './generated/index.ts'

export { DaemonSet, type DaemonSetKind } from './status/daemon-set.ts'
export { Deployment, type DeploymentKind } from './status/deployment.ts'
export { Job, type JobKind } from './status/job.ts'
export {
  PersistentVolumeClaim,
  type PersistentVolumeClaimKind,
} from './status/persistent-volume-claim.ts'
export { Pod, type PodKind } from './status/pod.ts'
export { ReplicaSet, type ReplicaSetKind } from './status/replica-set.ts'
export { StatefulSet, type StatefulSetKind } from './status/stateful-set.ts'

export { conditionOf } from './status/condition-of.ts'
export { defineKind } from './define-kind.ts'
export { isTerminating } from './is-terminating.ts'
export { selects, type LabelSelector as AnyLabelSelector } from './label-selector.ts'
export { listTypesOf } from './list-types-of.ts'
export { metadataOf, type MetadataKind, type MetadataOnly } from './metadata-of.ts'
export { typesFromCrd } from './crd-types/types-from-crd.ts'
export type { ApiObject, ExactKind, KindIdentity, ScopeOf } from './define-kind.ts'
export type { InferResource, Kind, Scope } from './kind.ts'
export type { ListType, ListTypes } from './list-types.ts'
export type { Manifest } from './manifest.ts'
export type { EmbeddedResource, RequestMetadata, StoredMetadata } from './metadata.ts'
export type { Observed } from './status/observed.ts'
