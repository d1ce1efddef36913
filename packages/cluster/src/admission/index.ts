/**
 * admission/: the plugins of a default cluster that complete or refuse a write.
 *
 * api/ calls `mutate` before an object is validated and `validate` just before it is stored, for
 * creates, updates and deletes. Plugins read the store but never write to it, except that quotas keep
 * count of what is used. Webhooks and policies will join the plugins here.
 */
export { clusterAdmission } from './cluster-admission.ts'
export { topologyLabelsOf } from './pods/pod-topology-labels.ts'
export type { Admission, AdmissionAttributes } from './admission.ts'
