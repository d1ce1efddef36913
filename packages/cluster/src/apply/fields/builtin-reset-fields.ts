import { resetNothing, type ResetFields, type ResetFilter } from './reset-fields.ts'

const status: ResetFilter = { exclude: [['status']] }
const spec: ResetFilter = { exclude: [['spec']] }
const allButStatus: ResetFilter = { exclude: [['metadata'], ['spec']] }

/** The fields that the status endpoint of a kind resets; a kind without an entry resets none. */
const statusEndpoints: Readonly<Record<string, ResetFilter>> = {
  APIService: allButStatus,
  CertificateSigningRequest: { exclude: [['spec'], ['status', 'conditions']] },
  CronJob: spec,
  CustomResourceDefinition: spec,
  DaemonSet: spec,
  Deployment: { exclude: [['spec'], ['metadata', 'labels']] },
  DeviceTaintRule: allButStatus,
  FlowSchema: allButStatus,
  HorizontalPodAutoscaler: spec,
  Ingress: spec,
  Job: spec,
  Namespace: spec,
  Node: spec,
  PersistentVolume: spec,
  PersistentVolumeClaim: spec,
  Pod: {
    exclude: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  },
  PodDisruptionBudget: spec,
  PodGroup: allButStatus,
  PriorityLevelConfiguration: allButStatus,
  ReplicaSet: spec,
  ReplicationController: spec,
  ResourceClaim: allButStatus,
  ResourcePoolStatusRequest: allButStatus,
  ResourceQuota: spec,
  Service: spec,
  ServiceCIDR: allButStatus,
  StatefulSet: spec,
  StorageVersion: allButStatus,
  StorageVersionMigration: allButStatus,
  ValidatingAdmissionPolicy: allButStatus,
  VolumeAttachment: allButStatus,
}

const otherEndpoints: Readonly<Record<string, ResetFilter>> = {
  'CertificateSigningRequest/': { exclude: [['spec'], ['status']] },
  'CertificateSigningRequest/approval': { exclude: [['spec'], ['status', 'certificate']] },
  'Namespace/finalize': status,
  // A real server defines filters for these two and does not use them.
  'Pod/ephemeralcontainers': { exclude: [] },
  'Pod/resize': { exclude: [] },
  // Its main endpoint declares no reset fields.
  'PodCertificateRequest/status': spec,
}

function filterOf(kind: string, subresource: string): ResetFilter | undefined {
  const other = otherEndpoints[`${kind}/${subresource}`]
  if (other !== undefined) return other
  const ofStatus = Object.hasOwn(statusEndpoints, kind) ? statusEndpoints[kind] : undefined
  if (subresource === 'status') return ofStatus
  return subresource === '' && ofStatus !== undefined ? status : undefined
}

/**
 * The fields that an endpoint of a built-in kind resets; `apiVersions` are all versions of
 * managers.
 */
export function builtinResetFields(
  kind: string,
  subresource: string,
  apiVersions: readonly string[],
): ResetFields {
  const filter = filterOf(kind, subresource)
  if (filter === undefined) return resetNothing
  return Object.fromEntries(apiVersions.map((apiVersion) => [apiVersion, filter]))
}

/** An endpoint of a custom resource. */
interface CustomEndpoint {
  readonly apiVersion: string
  readonly subresource: string
  /** The versions (as apiVersions) that have a status endpoint. */
  readonly withStatus: readonly string[]
}

/**
 * The fields that an endpoint of a custom resource resets. As on a real server, the main endpoint
 * resets only fields of its own version, a status endpoint those of all versions.
 */
export function customResetFields(endpoint: CustomEndpoint): ResetFields {
  const { apiVersion, subresource, withStatus } = endpoint
  if (subresource === 'status') {
    return Object.fromEntries(withStatus.map((version) => [version, allButStatus]))
  }
  if (subresource !== '' || !withStatus.includes(apiVersion)) return resetNothing
  return { [apiVersion]: status }
}
