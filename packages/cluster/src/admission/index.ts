/**
 * admission/: the plugins of a default cluster that complete or refuse a write.
 *
 * api/ calls `mutate` before an object is validated and `validate` just before it is stored, for
 * creates, updates and deletes. Plugins only read the store, except that quotas record their usage.
 * Webhooks and policies are plugins too.
 */
export { clusterAdmission } from './cluster-admission.ts'
export type { FindParamKind } from './policies/index.ts'
export { topologyLabelsOf } from './pods/pod-topology-labels.ts'
export type { AdmissionMeter, MeteredPolicy, MeteredWebhook } from './admission-meter.ts'
export type {
  Admission,
  AdmissionAttributes,
  EquivalentResource,
  SubresourceObject,
} from './admission.ts'
