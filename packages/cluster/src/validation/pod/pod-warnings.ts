/** The warnings of accepted pods and templates. */
import { repetition } from '../fields/repetition.ts'
import type { FieldPath } from '../go/field-path.ts'
import { ipWarnings } from '../fields/ip-warnings.ts'
import type { TextMap } from '../fields/check-label-selector.ts'
import {
  namedLabelWarnings,
  nodeTermWarnings,
  oldLabelWarnings,
} from '../core/node-label-warnings.ts'
import type { Container, Spec } from './pod-options.ts'
import { fractionWarnings } from '../storage/storage-warnings.ts'
import { visitContainers } from '../container/visit-containers.ts'
import { volumeWarnings } from '../volume/volume-warnings.ts'

/**
 * A pod or a template; the place of a template is a field, the place of a pod is the object itself.
 */
interface WarnedPod {
  readonly spec: Spec
  readonly annotations: TextMap | undefined
  readonly at: FieldPath
  readonly isTemplate: boolean
}

const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
}

/** All warnings, in the order of a real server. */
export function podWarnings(pod: WarnedPod): string[] {
  const { spec, annotations = {}, at } = pod
  const place = at.child('spec')
  const warnings = [...nodeLabelWarnings(spec, place)]
  for (const [key, message] of Object.entries(oldAnnotations)) {
    if (!Object.hasOwn(annotations, key)) continue
    warnings.push(`${at.child('metadata', 'annotations').key(key).path}: ${message}`)
  }
  warnings.push(...volumeWarnings(spec.volumes ?? [], place.child('volumes')))
  warnings.push(...duplicateWarnings(spec, place))
  for (const name of ['memory', 'ephemeral-storage']) {
    warnings.push(...fractionWarnings(spec.overhead?.[name], place.child('overhead').key(name)))
  }
  warnings.push(...seccompWarnings(pod))
  visitContainers(spec, place, (container, containerAt) => {
    warnings.push(...profileWarnings(container, pod))
    warnings.push(...containerWarnings(container, containerAt))
  })
  warnings.push(...portWarnings(spec, place))
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    const path = place.child('terminationGracePeriodSeconds').path
    warnings.push(`${path}: must be >= 0; negative values are invalid and will be treated as 1`)
  }
  warnings.push(...affinityWarnings(spec, place.child('affinity')))
  for (const [index, server] of (spec.dnsConfig?.nameservers ?? []).entries()) {
    warnings.push(...ipWarnings(server, place.child('dnsConfig', 'nameservers').index(index)))
  }
  for (const [index, { ip = '' }] of (spec.hostAliases ?? []).entries()) {
    warnings.push(...ipWarnings(ip, place.child('hostAliases').index(index).child('ip')))
  }
  return warnings
}

const noSelector = 'a null labelSelector results in matching no pod'

function nodeLabelWarnings(spec: Spec, at: FieldPath): string[] {
  const warnings: string[] = []
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    warnings.push(...oldLabelWarnings(key, at.child('nodeSelector').key(key)))
  }
  const affinity = spec.affinity?.nodeAffinity
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  const place = at.child('affinity', 'nodeAffinity')
  for (const [index, term] of required.entries()) {
    const terms = place.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms')
    warnings.push(...nodeTermWarnings(term, terms.index(index), false))
  }
  for (const [index, { preference = {} }] of preferred.entries()) {
    const terms = place.child('preferredDuringSchedulingIgnoredDuringExecution')
    warnings.push(...nodeTermWarnings(preference, terms.index(index).child('preference'), true))
  }
  for (const [index, constraint] of (spec.topologySpreadConstraints ?? []).entries()) {
    const { topologyKey = '', labelSelector } = constraint
    const constraintAt = at.child('topologySpreadConstraints').index(index)
    warnings.push(...namedLabelWarnings(topologyKey, constraintAt.child('topologyKey')))
    if (labelSelector === undefined) {
      warnings.push(`${constraintAt.child('labelSelector').path}: ${noSelector}`)
    }
  }
  return warnings
}

function duplicateWarnings(spec: Spec, at: FieldPath): string[] {
  const { hostAliases = [], imagePullSecrets = [] } = spec
  const repeated = (
    texts: readonly string[],
    what: string,
    place: (index: number) => FieldPath,
  ) => {
    const isRepeated = repetition()
    return texts.flatMap((text, index) =>
      isRepeated(text) ? [`${place(index).path}: duplicate ${what} "${text}"`] : [],
    )
  }
  const secretAt = (index: number) => at.child('imagePullSecrets').index(index).child('name')
  const names = imagePullSecrets.map(({ name = '' }) => name)
  return [
    ...repeated(
      hostAliases.map(({ ip = '' }) => ip),
      'ip',
      (index) => at.child('hostAliases').index(index).child('ip'),
    ),
    ...repeated(names, 'name', secretAt),
    ...names.flatMap((name, index) =>
      name === '' ? [`${secretAt(index).path}: invalid empty name ""`] : [],
    ),
  ]
}

function seccompWarnings({ spec, annotations = {}, at }: WarnedPod): string[] {
  const key = 'seccomp.security.alpha.kubernetes.io/pod'
  if (spec.securityContext?.seccompProfile !== undefined || !Object.hasOwn(annotations, key)) {
    return []
  }
  const path = at.child('metadata', 'annotations').key(key).path
  return [`${path}: non-functional in v1.27+; use the "seccompProfile" field instead`]
}

const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/'
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'

/** Deprecated annotations of single containers, which fields have replaced. */
function profileWarnings({ name = '', securityContext }: Container, pod: WarnedPod): string[] {
  const { annotations = {}, spec, at, isTemplate } = pod
  const place = at.child('metadata', 'annotations')
  const warnings: string[] = []
  const seccomp = seccompPrefix + name
  if (securityContext?.seccompProfile === undefined && Object.hasOwn(annotations, seccomp)) {
    const path = place.key(seccomp).path
    warnings.push(`${path}: non-functional in v1.27+; use the "seccompProfile" field instead`)
  }
  const appArmor = appArmorPrefix + name
  const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile
  if (isTemplate && profile === undefined && Object.hasOwn(annotations, appArmor)) {
    const path = place.key(appArmor).path
    warnings.push(`${path}: deprecated since v1.30; use the "appArmorProfile" field instead`)
  }
  return warnings
}

function containerWarnings({ resources, env = [] }: Container, at: FieldPath): string[] {
  const warnings: string[] = []
  for (const name of ['memory', 'ephemeral-storage']) {
    for (const field of ['limits', 'requests'] as const) {
      const place = at.child('resources', field).key(name)
      warnings.push(...fractionWarnings(resources?.[field]?.[name], place))
    }
  }
  const seen = new Set<string>()
  for (const [index, { name = '', value = '', valueFrom }] of env.entries()) {
    const reference = `$(${name})`
    const extends_ = valueFrom === undefined && value !== reference && value.includes(reference)
    if (seen.has(name) && !extends_) {
      const what = `hides previous definition of "${name}", which may be dropped when using apply`
      warnings.push(`${at.child('env').index(index).path}: ${what}`)
    }
    seen.add(name)
  }
  return warnings
}

function portWarnings(spec: Spec, at: FieldPath): string[] {
  const warnings: string[] = []
  const ports = new Map<string, { hostIP: string; hostPort: number; path: string }[]>()
  const names = new Map<string, string>()
  const nameWarnings: string[] = []
  visitContainers(spec, at, (container, containerAt) => {
    for (const [index, port] of (container.ports ?? []).entries()) {
      const { name = '', containerPort = 0, protocol = '', hostIP = '', hostPort = 0 } = port
      const { path } = containerAt.child('ports').index(index)
      if (hostIP !== '' && hostPort === 0) {
        const shown = `Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}`
        warnings.push(`${path}: hostIP set without hostPort: {${shown}}`)
      }
      const key = `${containerPort}/${protocol}`
      const others = ports.get(key) ?? []
      for (const other of others) {
        const isSameHost = hostIP === other.hostIP && hostPort === other.hostPort
        const isOpen = hostPort === 0 || other.hostPort === 0
        const isHalfOpen = (hostIP === '') !== (other.hostIP === '')
        if (isSameHost) warnings.push(`${path}: duplicate port definition with ${other.path}`)
        else if (isOpen) warnings.push(`${path}: overlapping port definition with ${other.path}`)
        else if (hostPort === other.hostPort && isHalfOpen) {
          warnings.push(`${path}: dangerously ambiguous port definition with ${other.path}`)
        }
      }
      ports.set(key, [...others, { hostIP, hostPort, path }])
      const first = names.get(name)
      if (name !== '' && first !== undefined) {
        nameWarnings.push(
          `${path}: duplicate port name "${name}" with ${first}, services and probes that select ports by name will use ${first}`,
        )
      } else names.set(name, path)
    }
  })
  return [...warnings, ...nameWarnings]
}

function affinityWarnings({ affinity = {} }: Spec, at: FieldPath): string[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((field) => {
    const required = affinity[field]?.requiredDuringSchedulingIgnoredDuringExecution ?? []
    const preferred = affinity[field]?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    const requiredAt = at.child(field, 'requiredDuringSchedulingIgnoredDuringExecution')
    const preferredAt = at.child(field, 'preferredDuringSchedulingIgnoredDuringExecution')
    return [
      ...required.flatMap(({ labelSelector }, index) =>
        labelSelector === undefined
          ? [`${requiredAt.index(index).child('labelSelector').path}: ${noSelector}`]
          : [],
      ),
      ...preferred.flatMap(({ podAffinityTerm }, index) =>
        podAffinityTerm?.labelSelector === undefined
          ? [
              `${preferredAt.index(index).child('podAffinityTerm', 'labelSelector').path}: ${noSelector}`,
            ]
          : [],
      ),
    ]
  })
}
