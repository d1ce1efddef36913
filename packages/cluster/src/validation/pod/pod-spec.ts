import { checkAffinity } from './affinity.ts'
import {
  checkContainers,
  checkEphemeralContainers,
  checkInitContainers,
  type PodContext,
} from '../container/container-rules.ts'
import { checkRequirements } from '../container/container-resources.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkLabels, checkQualifiedName } from '../fields/check-label-selector.ts'
import { byteLength, labelProblems, rangeProblem, subdomainProblems } from '../fields/name-rules.ts'
import type { Metadata } from '../object-meta.ts'
import { checkDnsConfig, checkDnsPolicy, checkHostAliases } from './pod-dns.ts'
import type { PodOptions, Spec } from './pod-options.ts'
import { checkPodOs } from './pod-os.ts'
import { checkPodClaims, checkPodResources } from './check-pod-resources.ts'
import { checkPodSecurityContext } from './security-context.ts'
import { checkTolerations } from './check-tolerations.ts'
import { checkTopologySpread } from './check-topology-spread.ts'
import { visitContainers } from '../container/visit-containers.ts'
import { checkVolumes } from '../volume/volume-rules.ts'
import { checkHostProcessPod } from './windows-options.ts'

/** A spec with its context: pods have metadata here, templates have none. */
interface PodSpecCheck {
  readonly spec: Spec
  readonly metadata?: Metadata | undefined
  readonly options: PodOptions
}

/** Checks the spec of a pod or a template, in the order of a real server. */
export function checkPodSpec(check: PodSpecCheck, at: FieldPath): void {
  const { spec, metadata, options } = check
  if (spec.terminationGracePeriodSeconds === undefined) {
    at.child('terminationGracePeriodSeconds').required()
  }
  const volumes = checkVolumes(spec.volumes ?? [], at.child('volumes'), metadata)
  const claims = spec.resourceClaims ?? []
  const claimNames = new Set(claims.flatMap(({ name = '' }) => (name === '' ? [] : [name])))
  checkPodClaims(claims, at.child('resourceClaims'))
  const pod: PodContext = { spec, volumes, claimNames, options }
  checkContainers(pod, at.child('containers'))
  checkInitContainers(pod, at.child('initContainers'))
  checkEphemeralContainers(pod, at.child('ephemeralContainers'))
  checkPodResources(pod, at.child('resources'))
  checkHostNetworkPorts(spec, at, options)
  checkRestartPolicy(spec, at.child('restartPolicy'))
  checkDnsPolicy(spec, at.child('dnsPolicy'))
  checkLabels(spec.nodeSelector, at.child('nodeSelector'))
  checkPodSecurityContext(spec, at.child('securityContext'), options)
  if (spec.affinity !== undefined) checkAffinity(spec.affinity, at.child('affinity'), options)
  checkDnsConfig(spec, at.child('dnsConfig'))
  checkGates(spec, at)
  const spread = spec.topologySpreadConstraints ?? []
  checkTopologySpread(spread, at.child('topologySpreadConstraints'), options)
  checkHostProcessPod(spec, at)
  checkHostUsers(spec, at)
  checkHostnameOverride(spec, at.child('hostnameOverride'))
  checkNames(spec, at)
  checkTolerations(spec.tolerations ?? [], at.child('tolerations'))
  checkHostAliases(spec.hostAliases ?? [], at.child('hostAliases'))
  checkClasses(spec, at)
  if (spec.overhead !== undefined)
    checkRequirements({ limits: spec.overhead }, at.child('overhead'))
  checkPodOs(spec, at)
  checkFileKeyVolumes(spec, at)
}

/**
 * With the host network, container ports are host ports. Templates are defaulted later, so that 0
 * is allowed there.
 */
function checkHostNetworkPorts(spec: Spec, at: FieldPath, { isPod = false }: PodOptions): void {
  if (spec.hostNetwork !== true) return
  for (const [index, { ports = [] }] of (spec.containers ?? []).entries()) {
    for (const [portIndex, { hostPort = 0, containerPort = 0 }] of ports.entries()) {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) continue
      const place = at.child('containers').index(index).child('ports').index(portIndex)
      const detail = 'must match `containerPort` when `hostNetwork` is true'
      place.child('hostPort').invalid(hostPort, detail)
    }
  }
}

const restartPolicies = ['Always', 'OnFailure', 'Never']

function checkRestartPolicy({ restartPolicy = '' }: Spec, at: FieldPath): void {
  if (restartPolicy === '') at.required()
  else if (!restartPolicies.includes(restartPolicy)) at.notSupported(restartPolicy, restartPolicies)
}

function checkGates({ readinessGates = [], schedulingGates = [] }: Spec, at: FieldPath): void {
  for (const [index, { conditionType = '' }] of readinessGates.entries()) {
    checkQualifiedName(
      conditionType,
      at.child('readinessGates').index(index).child('conditionType'),
    )
  }
  const seen = new Set<string>()
  for (const [index, { name = '' }] of schedulingGates.entries()) {
    const place = at.child('schedulingGates').index(index)
    checkQualifiedName(name, place)
    if (seen.has(name)) place.duplicate(name)
    seen.add(name)
  }
}

function checkHostUsers(spec: Spec, at: FieldPath): void {
  if (spec.hostUsers !== false) return
  const detail = 'when `hostUsers` is false'
  if (spec.hostNetwork === true) at.child('hostNetwork').forbidden(detail)
  if (spec.hostPID === true) at.child('HostPID').forbidden(detail)
  if (spec.hostIPC === true) at.child('HostIPC').forbidden(detail)
  visitContainers(spec, at, ({ volumeDevices = [] }, place) => {
    if (volumeDevices.length > 0) place.child('volumeDevices').forbidden(detail)
  })
}

function checkHostnameOverride(spec: Spec, at: FieldPath): void {
  const { hostnameOverride: name } = spec
  if (name === undefined) return
  if (spec.setHostnameAsFQDN === true) {
    at.forbidden('may not be specified when setHostnameAsFQDN is true')
  }
  if (spec.hostNetwork === true) at.forbidden('may not be specified when hostNetwork is true')
  if (byteLength(name) > 64) at.tooLong(64)
  at.invalidEach(name, subdomainProblems(name))
}

function checkNames(spec: Spec, at: FieldPath): void {
  const { serviceAccountName = '', nodeName = '', hostname = '', subdomain = '' } = spec
  const { activeDeadlineSeconds: seconds } = spec
  if (serviceAccountName !== '') {
    const problems = subdomainProblems(serviceAccountName)
    at.child('serviceAccountName').invalidEach(serviceAccountName, problems)
  }
  if (nodeName !== '') at.child('nodeName').invalidEach(nodeName, subdomainProblems(nodeName))
  if (seconds !== undefined && (seconds < 1 || seconds > 2147483647)) {
    at.child('activeDeadlineSeconds').invalid(seconds, rangeProblem(1, 2147483647))
  }
  if (hostname !== '') at.child('hostname').invalidEach(hostname, labelProblems(hostname))
  if (subdomain !== '') at.child('subdomain').invalidEach(subdomain, labelProblems(subdomain))
}

const preemptionPolicies = ['PreemptLowerPriority', 'Never']

/** Checks the preemption policy. */
export function checkPreemptionPolicy(policy: string | undefined, at: FieldPath): void {
  if (policy === undefined) return
  if (policy === '') at.required()
  else if (!preemptionPolicies.includes(policy)) at.notSupported(policy, preemptionPolicies)
}

function checkClasses(spec: Spec, at: FieldPath): void {
  const { priorityClassName = '', runtimeClassName, preemptionPolicy } = spec
  if (priorityClassName !== '') {
    const problems = subdomainProblems(priorityClassName)
    at.child('priorityClassName').invalidEach(priorityClassName, problems)
  }
  if (runtimeClassName !== undefined) {
    const problems = subdomainProblems(runtimeClassName)
    at.child('runtimeClassName').invalidEach(runtimeClassName, problems)
  }
  checkPreemptionPolicy(preemptionPolicy, at.child('preemptionPolicy'))
}

/** Environment variables can come from files only of emptyDir volumes. */
function checkFileKeyVolumes(spec: Spec, at: FieldPath): void {
  visitContainers(spec, at, ({ env = [] }, place) => {
    for (const [index, { valueFrom }] of env.entries()) {
      const name = valueFrom?.fileKeyRef?.volumeName
      if (valueFrom?.fileKeyRef === undefined) continue
      const nameAt = place.child('env').index(index).child('valueFrom', 'fileKeyRef', 'volumeName')
      const volume = (spec.volumes ?? []).findLast((candidate) => candidate.name === name)
      if (volume === undefined) nameAt.notFound(name ?? '')
      else if (volume.emptyDir === undefined) {
        nameAt.invalid(name, 'referenced volume must be of type emptyDir')
      }
    }
  })
}
