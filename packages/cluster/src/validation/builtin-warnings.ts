import type {
  Pod,
  ResourceQuota,
  ResourceSlice,
  RuntimeClass,
  ServiceAccount,
} from 'setpoint/kinds'
import type { FieldError, JsonObject } from 'setpoint/schema'
import type { Decoded } from './go/decoded.ts'
import { FieldPath } from './go/field-path.ts'
import { ipWarnings } from './fields/ip-warnings.ts'
import {
  endpointSliceWarnings,
  endpointsWarnings,
  ingressWarnings,
  loadBalancerWarnings,
  networkPolicyWarnings,
  nodeWarnings,
} from './networking/network-warnings.ts'
import { oldLabelWarnings } from './core/node-label-warnings.ts'
import type { Metadata } from './object-meta.ts'
import { podWarnings } from './pod/pod-warnings.ts'
import { compareQuantities } from './fields/compare-quantities.ts'
import { secretWarnings } from './core/secret-warnings.ts'
import { serviceWarnings } from './core/service-warnings.ts'
import {
  claimWarnings,
  driverWarnings,
  persistentVolumeWarnings,
  storageCapacityWarnings,
  storageClassWarnings,
} from './storage/storage-warnings.ts'
import type { BuiltinInput } from './validate-builtin.ts'
import type { WarningInput } from './warning-input.ts'
import { withoutNulls } from './go/without-nulls.ts'
import {
  cronJobWarnings,
  daemonSetWarnings,
  deploymentWarnings,
  jobWarnings,
  nameWarnings,
  podTemplateWarnings,
  replicationControllerWarnings,
  statefulSetWarnings,
} from './workload-warnings.ts'

function newPodWarnings({ object, old, at }: WarningInput<Decoded<Pod>>): string[] {
  if (old !== undefined) return []
  const { spec = {}, metadata } = object
  return [
    ...nameWarnings(object, "the Pod's hostname"),
    ...podWarnings({ spec, annotations: metadata?.annotations, at, isTemplate: false }),
  ]
}

function podStatusWarnings({ object, at }: WarningInput<Decoded<Pod>>): string[] {
  return (['podIPs', 'hostIPs'] as const).flatMap((field) => {
    const place = at.child('status', field)
    return (object.status?.[field] ?? []).flatMap(({ ip = '' }, index) =>
      ipWarnings(ip, place.index(index).child('ip')),
    )
  })
}

/** Warns about limits below the requests. */
function quotaWarnings({ object, old }: WarningInput<Decoded<ResourceQuota>>): string[] {
  if (old !== undefined) return []
  const hard = object.spec?.hard ?? {}
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((resource) => {
    const names = [`requests.${resource}`]
    if (resource === 'cpu' || resource === 'memory') names.push(resource)
    const name = names.find((each) => Object.hasOwn(hard, each)) ?? ''
    const request = hard[name]
    const limit = hard[`limits.${resource}`]
    if (request === undefined || limit === undefined) return []
    if (compareQuantities(request, limit) <= 0) return []
    return [`ResourceQuota ${name} (${request}) should be less than limits.${resource} (${limit})`]
  })
}

function runtimeClassWarnings({ object, at }: WarningInput<Decoded<RuntimeClass>>): string[] {
  const place = at.child('scheduling', 'nodeSelector')
  const labels = Object.keys(object.scheduling?.nodeSelector ?? {})
  return labels.flatMap((label) => oldLabelWarnings(label, place))
}

function serviceAccountWarnings({ object, old }: WarningInput<Decoded<ServiceAccount>>): string[] {
  const key = 'kubernetes.io/enforce-mountable-secrets'
  const isSet = (account: Decoded<ServiceAccount> | undefined) =>
    Object.hasOwn(account?.metadata?.annotations ?? {}, key)
  if (isSet(old) || !isSet(object)) return []
  const words =
    'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets'
  return [`metadata.annotations[${key}]: ${words}`]
}

function sliceWarnings({ object }: WarningInput<Decoded<ResourceSlice>>): string[] {
  const driver = object.spec?.driver ?? ''
  if (driver === driver.toLowerCase()) return []
  return [
    `spec.driver: driver names should be lowercase; "${driver}" contains uppercase characters`,
  ]
}

const staticSuffix = '.static.k8s.io'

/** Warns about names that are reserved for configurations in files. */
function staticNameWarnings({ object }: WarningInput<{ metadata?: Metadata }>): string[] {
  if (object.metadata?.name?.endsWith(staticSuffix) !== true) return []
  return [
    `metadata.name: names ending with "${staticSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`,
  ]
}

/** `never`, because each function has the type of its own kind. */
type Warnings = (write: WarningInput<never>) => string[]

const warningsOfKind: Readonly<Record<string, Warnings>> = {
  Pod: newPodWarnings,
  Deployment: deploymentWarnings,
  ReplicaSet: deploymentWarnings,
  StatefulSet: statefulSetWarnings,
  DaemonSet: daemonSetWarnings,
  ReplicationController: replicationControllerWarnings,
  PodTemplate: podTemplateWarnings,
  Job: jobWarnings,
  CronJob: cronJobWarnings,
  Service: serviceWarnings,
  Ingress: ingressWarnings,
  Endpoints: endpointsWarnings,
  EndpointSlice: endpointSliceWarnings,
  NetworkPolicy: networkPolicyWarnings,
  Node: nodeWarnings,
  Secret: secretWarnings,
  ServiceAccount: serviceAccountWarnings,
  ResourceQuota: quotaWarnings,
  RuntimeClass: runtimeClassWarnings,
  ResourceSlice: sliceWarnings,
  PersistentVolume: persistentVolumeWarnings,
  PersistentVolumeClaim: claimWarnings,
  StorageClass: storageClassWarnings,
  CSIStorageCapacity: storageCapacityWarnings,
  CSIDriver: driverWarnings,
  ValidatingAdmissionPolicy: staticNameWarnings,
  ValidatingAdmissionPolicyBinding: staticNameWarnings,
  MutatingAdmissionPolicy: staticNameWarnings,
  MutatingAdmissionPolicyBinding: staticNameWarnings,
  ValidatingWebhookConfiguration: staticNameWarnings,
  MutatingWebhookConfiguration: staticNameWarnings,
}

const warningsOfStatus: Readonly<Record<string, Warnings>> = {
  Pod: podStatusWarnings,
  Service: loadBalancerWarnings,
  Ingress: loadBalancerWarnings,
}

/** The warnings for the writer of an accepted object, in the order of a real server. */
export function builtinWarnings({ kind, object, old, subresource }: BuiltinInput): string[] {
  const ofSubresource = subresource === 'status' ? warningsOfStatus : {}
  const table = (subresource ?? '') === '' ? warningsOfKind : ofSubresource
  const warnings = Object.hasOwn(table, kind) ? table[kind] : undefined
  if (warnings === undefined) return []
  // No errors are reported to the place: warnings only need its paths.
  const unused: FieldError[] = []
  return warnings({
    object: withoutNulls(object) as never,
    old: old === undefined ? undefined : (withoutNulls(old) as never),
    at: FieldPath.root(unused),
  })
}

/**
 * Warns about finalizers without a domain, which can conflict with those of other controllers. Used
 * for custom resources.
 */
export function finalizerWarnings(metadata: JsonObject, old: JsonObject = {}): string[] {
  const known = new Set((old as Metadata).finalizers ?? [])
  const added = [...new Set((metadata as Metadata).finalizers ?? [])].filter(
    (finalizer) => !known.has(finalizer),
  )
  return added.sort().flatMap((finalizer) => {
    const isStandard = ['kubernetes', 'orphan', 'foregroundDeletion'].includes(finalizer)
    if (finalizer.includes('/') || isStandard) return []
    const path = finalizer.includes('.') ? ' including a path (/)' : ''
    return [
      `metadata.finalizers: "${finalizer}": prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
    ]
  })
}
