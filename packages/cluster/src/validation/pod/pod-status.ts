import type { Pod } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { isDualStack, parseIp } from '../fields/ip-address.ts'
import { checkLegacyIp } from '../fields/ip-rules.ts'
import type { Updated } from '../kind-rules.ts'
import { checkQualifiedName } from '../fields/check-label-selector.ts'
import { idProblems, labelProblems, subdomainProblems } from '../fields/name-rules.ts'
import { checkImmutable } from '../object-meta.ts'
import type { Container, Spec } from './pod-options.ts'

interface StatusAndSpec {
  readonly status: Status
  readonly spec: Spec
}

type Status = NonNullable<Updated<Pod>['object']['status']>
type ContainerStatus = NonNullable<Status['containerStatuses']>[number]

const systemConditions = ['PodScheduled', 'Ready', 'Initialized']
const statusFields = ['containerStatuses', 'initContainerStatuses'] as const

/** Checks the status of a pod. */
export function checkPodStatus({ object, old, at }: Updated<Pod>): void {
  const { status = {}, spec = {} } = object
  const { status: oldStatus = {}, spec: oldSpec = {} } = old
  const place = at.child('status')
  checkConditions(status.conditions ?? [], place.child('conditions'))
  if ((spec.nodeName ?? '') !== (oldSpec.nodeName ?? '')) {
    place.child('nodeName').forbidden('may not be changed directly')
  }
  checkNominatedNode({ status, oldStatus, oldSpec }, place.child('nominatedNodeName'))
  const { observedGeneration = 0 } = status
  if (observedGeneration < 0) {
    place.child('observedGeneration').invalid(observedGeneration, 'must be a non-negative integer')
  }
  checkImmutable(status.qosClass ?? '', oldStatus.qosClass ?? '', place.child('qosClass'))
  checkTransitions({ status, oldStatus, oldSpec }, place)
  checkPodIps(status, oldStatus, place.child('podIPs'))
  checkHostIps(status, oldStatus, place.child('hostIPs'))
  const isWindows = spec.os?.name === 'windows'
  for (const field of [...statusFields, 'ephemeralContainerStatuses'] as const) {
    checkUsers(status[field] ?? [], place.child(field), isWindows)
  }
  checkExtendedClaim({ status, spec }, place.child('extendedResourceClaimStatus'))
}

/** Checks the claim that the scheduler made for extended resources. */
function checkExtendedClaim({ status, spec }: StatusAndSpec, at: FieldPath): void {
  const claim = status.extendedResourceClaimStatus
  if (claim === undefined) return
  const { requestMappings: mappings = [], resourceClaimName: name = '' } = claim
  const containers = new Map(
    [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map((each) => [each.name, each]),
  )
  const place = at.child('requestMappings')
  if (mappings.length === 0) place.required('at least one request mapping is required')
  const seen = new Set<string>()
  for (const [
    index,
    { containerName = '', resourceName = '', requestName = '' },
  ] of mappings.entries()) {
    const itemAt = place.index(index)
    const container = containers.get(containerName)
    if (container === undefined) {
      const detail =
        'must match the name of an entry in spec.initContainers.name or spec.containers.name'
      itemAt.child('containerName').invalid(containerName, detail)
    } else if (!Object.hasOwn(container.resources?.requests ?? {}, resourceName)) {
      const detail =
        'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests'
      itemAt.child('resourceName').invalid(resourceName, detail)
    }
    at.child('requestName').invalidEach(requestName, labelProblems(requestName))
    const parts = { containerName, resourceName, requestName }
    const key = JSON.stringify(parts)
    if (seen.has(key)) {
      for (const [field, value] of Object.entries(parts)) itemAt.child(field).duplicate(value)
    }
    seen.add(key)
  }
  if (name === '') at.child('resourceClaimName').required()
  else at.child('resourceClaimName').invalidEach(name, subdomainProblems(name))
}

function checkConditions(conditions: NonNullable<Status['conditions']>, at: FieldPath): void {
  for (const [index, { type = '', observedGeneration = 0 }] of conditions.entries()) {
    if (observedGeneration < 0) {
      const place = at.index(index).child('observedGeneration')
      place.invalid(observedGeneration, 'must be a non-negative integer')
    }
    if (systemConditions.includes(type)) continue
    checkQualifiedName(type, at.index(index).child('Type'))
  }
}

interface StatusChange {
  readonly status: Status
  readonly oldStatus: Status
  readonly oldSpec: Spec
}

function checkNominatedNode({ status, oldStatus, oldSpec }: StatusChange, at: FieldPath): void {
  const { nominatedNodeName: name = '' } = status
  if (name === '' || name === (oldStatus.nominatedNodeName ?? '')) return
  at.invalidEach(name, subdomainProblems(name))
  if ((oldSpec.nodeName ?? '') !== '') {
    at.forbidden('may not be set on pods that are already bound to a node')
  }
}

/** A container that terminated for good cannot run again. */
function checkTransitions({ status, oldStatus, oldSpec }: StatusChange, at: FieldPath): void {
  const detail = 'may not be transitioned to non-terminated state'
  for (const [field, containers] of [
    ['containerStatuses', oldSpec.containers],
    ['initContainerStatuses', oldSpec.initContainers],
  ] as const) {
    for (const [index, before] of (oldStatus[field] ?? []).entries()) {
      if (!isRunningAgain(before, status[field])) continue
      const container = containers?.find(({ name }) => name === before.name)
      const exitCode = before.state?.terminated?.exitCode ?? 0
      if (container !== undefined && mayRestart(container, oldSpec, exitCode)) continue
      at.child(field).index(index).child('state').forbidden(detail)
    }
  }
  for (const [index, before] of (oldStatus.ephemeralContainerStatuses ?? []).entries()) {
    if (!isRunningAgain(before, status.ephemeralContainerStatuses)) continue
    at.child('ephemeralContainerStatuses').index(index).child('state').forbidden(detail)
  }
}

function isRunningAgain(
  before: ContainerStatus,
  statuses: readonly ContainerStatus[] = [],
): boolean {
  if (before.state?.terminated === undefined) return false
  const after = statuses.find(({ name }) => name === before.name)
  return after !== undefined && after.state?.terminated === undefined
}

function mayRestart(container: Container, spec: Spec, exitCode: number): boolean {
  for (const { action, exitCodes } of container.restartPolicyRules ?? []) {
    const { operator, values = [] } = exitCodes ?? {}
    if (action === 'Restart' && values.includes(exitCode) === (operator === 'In')) return true
  }
  const policy = container.restartPolicy ?? spec.restartPolicy
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)
}

function checkFamilies(
  ips: readonly { readonly ip?: string }[],
  at: FieldPath,
  struct: 'PodIP' | 'HostIP',
): void {
  if (ips.length < 2) return
  const addresses = ips.map(({ ip = '' }) => parseIp(ip))
  const wrong = addresses.indexOf(undefined)
  if (wrong >= 0) {
    const problem = `invalid IP[${wrong}]: ${ips[wrong]?.ip ?? ''}`
    at.internal(`failed to check for dual stack with error:${problem}`)
  } else if (isDualStack(addresses) && ips.length === 2) return
  const detail = 'may specify no more than one IP for each IP family'
  at.invalidPrinted(printStruct(ips, struct), detail)
}

function checkPodIps(status: Status, oldStatus: Status, at: FieldPath): void {
  const { podIP = '', podIPs = [] } = status
  const known = (oldStatus.podIPs ?? []).map(({ ip }) => ip)
  for (const [index, { ip = '' }] of podIPs.entries()) checkLegacyIp(ip, at.index(index), known)
  checkFamilies(podIPs, at, 'PodIP')
  if ((podIP !== '') !== podIPs.length > 0) {
    const printed = podIPs.length === 0 ? 'null' : printStruct(podIPs, 'PodIP')
    at.invalidPrinted(printed, 'podIP and podIPs must either both be set or both be unset')
  } else if (podIPs.length > 0 && podIPs[0]?.ip !== podIP) {
    at.index(0).child('ip').invalid(podIPs[0]?.ip, 'must be equal to `podIP`')
  }
}

function checkHostIps(status: Status, oldStatus: Status, at: FieldPath): void {
  const { hostIP = '', hostIPs = [] } = status
  if (hostIPs.length === 0) return
  if (hostIPs[0]?.ip !== hostIP) {
    at.index(0).child('ip').invalid(hostIPs[0]?.ip, 'must be equal to `hostIP`')
  }
  const known = (oldStatus.hostIPs ?? []).map(({ ip }) => ip)
  for (const [index, { ip = '' }] of hostIPs.entries()) checkLegacyIp(ip, at.index(index), known)
  checkFamilies(hostIPs, at, 'HostIP')
}

function checkUsers(statuses: readonly ContainerStatus[], at: FieldPath, isWindows: boolean): void {
  for (const [index, { user }] of statuses.entries()) {
    const linux = user?.linux
    if (linux === undefined) continue
    const place = at.index(index).child('user', 'linux')
    if (isWindows) {
      place.forbidden('cannot be set for a windows pod')
      continue
    }
    const { uid = 0, gid = 0, supplementalGroups = [] } = linux
    if (uid < 0 || uid > 4294967295) {
      place.child('uid').invalid(uid, 'must be between 0 and 4294967295, inclusive')
    }
    place.child('gid').invalidEach(gid, idProblems(gid))
    for (const [number, group] of supplementalGroups.entries()) {
      place.child('supplementalGroups').index(number).invalidEach(group, idProblems(group))
    }
  }
}
