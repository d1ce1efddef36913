import type {
  CronJob,
  Deployment,
  Ingress,
  Job,
  PersistentVolume,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from 'setpoint/kinds'
import type { FieldError, JsonObject } from 'setpoint/schema'
import { base64Text } from './base64.ts'
import type { Decoded } from './decoded.ts'
import { FieldPlace } from './field-place.ts'
import { cidrWarnings, ipWarnings } from './ip-warnings.ts'
import { labelComplaints } from './name-rules.ts'
import type { Metadata } from './object-meta.ts'
import type { ClaimSpec } from './persistent-volume-claim-spec.ts'
import type { Template } from './pod-template.ts'
import { fractionWarnings, podWarnings } from './pod-warnings.ts'
import type { BuiltinInput } from './validate-builtin.ts'
import { withoutNulls } from './without-nulls.ts'

/** Nothing is reported to it: warnings only need its paths. */
function rootPlace(): FieldPlace {
  const unused: FieldError[] = []
  return FieldPlace.root(unused)
}

function templateWarnings(template: Template | undefined, at: FieldPlace): string[] {
  const { spec = {}, metadata } = template ?? {}
  return podWarnings({ spec, annotations: metadata?.annotations, at, isTemplate: true })
}

function nameWarnings({ metadata }: { readonly metadata?: Metadata }, use: string): string[] {
  const problems = labelComplaints(metadata?.name ?? '')
  if (problems.length === 0) return []
  const words = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`
  return [`metadata.name: ${words}: [${problems.join(' ')}]`]
}

function claimWarnings({ resources }: ClaimSpec, at: FieldPlace): string[] {
  return (['requests', 'limits'] as const).flatMap((field) =>
    fractionWarnings(resources?.[field]?.['storage'], at.child('resources', field).key('storage')),
  )
}

function serviceWarnings({ metadata, spec = {} }: Decoded<Service>, at: FieldPlace): string[] {
  const place = at.child('spec')
  const { type, clusterIP = '', externalIPs = [], loadBalancerIP = '' } = spec
  const warnings: string[] = []
  const hints = 'service.kubernetes.io/topology-aware-hints'
  if (Object.hasOwn(metadata?.annotations ?? {}, hints)) {
    const mode = 'service.kubernetes.io/topology-mode'
    warnings.push(`annotation ${hints} is deprecated, please use ${mode} instead`)
  }
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None'
  if (isHeadless) {
    const ignored = 'is ignored for headless services'
    if (loadBalancerIP !== '') warnings.push(`spec.loadBalancerIP ${ignored}`)
    if (externalIPs.length > 0) warnings.push(`spec.externalIPs ${ignored}`)
    if (spec.sessionAffinity !== 'None') warnings.push(`spec.SessionAffinity ${ignored}`)
  } else if (clusterIP !== '') {
    for (const [index, ip] of (spec.clusterIPs ?? []).entries()) {
      warnings.push(...ipWarnings(ip, place.child('clusterIPs').index(index)))
    }
  }
  for (const [index, ip] of externalIPs.entries()) {
    warnings.push(...ipWarnings(ip, place.child('externalIPs').index(index)))
  }
  const isExternalName = type === 'ExternalName'
  if (externalIPs.length > 0 && !isHeadless && !isExternalName) {
    warnings.push(
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    )
  }
  if (loadBalancerIP !== '')
    warnings.push(...ipWarnings(loadBalancerIP, place.child('loadBalancerIP')))
  for (const [index, cidr] of (spec.loadBalancerSourceRanges ?? []).entries()) {
    warnings.push(...cidrWarnings(cidr, place.child('loadBalancerSourceRanges').index(index)))
  }
  if (isExternalName && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"')
  }
  if (!isExternalName && (spec.externalName ?? '') !== '') {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"')
  }
  if (spec.trafficDistribution === 'PreferClose') {
    const words = '"PreferClose" is deprecated; use "PreferSameZone"'
    warnings.push(`spec.trafficDistribution: ${words}`)
  }
  return warnings
}

function secretWarnings({ type, data = {} }: Decoded<Secret>): string[] {
  if (type !== 'kubernetes.io/tls') return []
  const hasPem = (key: string) => base64Text(data[key] ?? '').includes('-----BEGIN ')
  if (!hasPem('tls.crt')) return ['tls: failed to find any PEM data in certificate input']
  return hasPem('tls.key') ? [] : ['tls: failed to find any PEM data in key input']
}

function volumeWarnings({ spec = {} }: Decoded<PersistentVolume>, at: FieldPlace): string[] {
  const warnings: string[] = []
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    warnings.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    )
  }
  return [
    ...warnings,
    ...fractionWarnings(spec.capacity?.['storage'], at.child('spec', 'capacity').key('storage')),
  ]
}

function statefulSetWarnings({ spec = {} }: Decoded<StatefulSet>, at: FieldPlace): string[] {
  const place = at.child('spec')
  const claims = (spec.volumeClaimTemplates ?? []).flatMap((claim, index) =>
    claimWarnings(claim.spec ?? {}, place.child('volumeClaimTemplates').index(index)),
  )
  const history = 'a negative value retains all historical revisions; a value >= 0 is recommended'
  const isUnlimited = (spec.revisionHistoryLimit ?? 0) < 0
  return [
    ...templateWarnings(spec.template, place.child('template')),
    ...claims,
    ...(isUnlimited ? [`spec.revisionHistoryLimit: ${history}`] : []),
  ]
}

function ingressWarnings({ metadata, spec }: Decoded<Ingress>): string[] {
  const key = 'kubernetes.io/ingress.class'
  const isSet = Object.hasOwn(metadata?.annotations ?? {}, key)
  if (!isSet || spec?.ingressClassName !== undefined) return []
  return [`annotation "${key}" is deprecated, please use 'spec.ingressClassName' instead`]
}

const podNames = 'Pod names and hostnames'

/** What to tell the writer of an accepted object, in the order and the words of a real server. */
export function builtinWarnings(input: Omit<BuiltinInput, 'subresource'>): string[] {
  const object = withoutNulls(input.object)
  const at = rootPlace()
  const isNew = input.old === undefined
  const template = at.child('spec', 'template')
  switch (input.kind) {
    case 'Pod': {
      const pod = object as Decoded<Pod>
      if (!isNew) return []
      const { spec = {}, metadata } = pod
      return [
        ...nameWarnings(pod, "the Pod's hostname"),
        ...podWarnings({ spec, annotations: metadata?.annotations, at, isTemplate: false }),
      ]
    }
    case 'Deployment':
    case 'Job': {
      const workload = object as Decoded<Deployment | Job>
      return [
        ...(isNew ? nameWarnings(workload, podNames) : []),
        ...templateWarnings(workload.spec?.template, template),
      ]
    }
    case 'StatefulSet':
      return statefulSetWarnings(object, at)
    case 'Ingress':
      return isNew ? ingressWarnings(object) : []
    case 'ReplicaSet':
    case 'DaemonSet':
    case 'ReplicationController':
      return templateWarnings((object as Decoded<Deployment>).spec?.template, template)
    case 'CronJob': {
      const job = object as Decoded<CronJob>
      const place = at.child('spec', 'jobTemplate', 'spec', 'template')
      return [
        ...(isNew ? nameWarnings(job, podNames) : []),
        ...templateWarnings(job.spec?.jobTemplate?.spec?.template, place),
      ]
    }
    case 'Service':
      return serviceWarnings(object, at)
    case 'Secret':
      return secretWarnings(object)
    case 'PersistentVolume':
      return volumeWarnings(object, at)
    case 'PersistentVolumeClaim':
      return claimWarnings((object['spec'] ?? {}) as ClaimSpec, at.child('spec'))
    default:
      return []
  }
}

/** Finalizers without a domain may belong to anybody; custom resources are told so. */
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
