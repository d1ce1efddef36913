import type { Service } from 'setpoint/kinds'
import { protocols } from '../container/container-rules.ts'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { checkPort } from '../container/probe-rules.ts'
import { checkEndpointIp, checkLegacyCidr, checkLegacyIp } from '../fields/ip-rules.ts'
import { checkedKind, type Created, type Updated } from '../kind-rules.ts'
import { checkLabels, checkQualifiedName } from '../fields/check-label-selector.ts'
import { checkLoadBalancerStatus } from './load-balancer-status.ts'
import { nameRules } from '../fields/name-rule.ts'
import { labelProblems, portNumberProblems, subdomainProblems } from '../fields/name-rules.ts'
import {
  checkClusterIps,
  checkClusterIpsUpdate,
  checkIpFamiliesUpdate,
  isHeadless,
} from './service-cluster-ips.ts'

type DecodedService = Created<Service>['object']
type Spec = NonNullable<DecodedService['spec']>

const affinities = ['ClientIP', 'None']
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const trafficPolicies = ['Cluster', 'Local']
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
const hintsKey = 'service.kubernetes.io/topology-aware-hints'
const modeKey = 'service.kubernetes.io/topology-mode'
const rangesKey = 'service.beta.kubernetes.io/load-balancer-source-ranges'
const affinitySecondsMax = 86400

function checkService(service: DecodedService, at: FieldPath, old?: DecodedService): void {
  const { spec = {} } = service
  const place = at.child('spec')
  checkTopologyAnnotations(service, at.child('metadata', 'annotations'))
  const { type = '', ports = [], externalIPs = [] } = spec
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName') {
    place.child('ports').required()
  }
  checkType(spec, place)
  checkPorts(spec, place.child('ports'))
  checkLabels(spec.selector, place.child('selector'))
  checkAffinity(spec, place)
  checkClusterIps(spec, place, old?.spec)
  for (const [index, ip] of externalIPs.entries()) {
    const ipAt = place.child('externalIPs').index(index)
    if (checkLegacyIp(ip, ipAt, old?.spec?.externalIPs)) checkEndpointIp(ip, ipAt)
  }
  if (type === '') place.child('type').required()
  else if (!types.includes(type)) place.child('type').notSupported(type, types)
  checkPortConflicts(spec, place.child('ports'))
  checkSourceRanges(service, at, old)
  checkAllocation(spec, at)
  checkLoadBalancerClass(spec, place.child('loadBalancerClass'))
  checkTraffic(spec, place)
}

function checkTopologyAnnotations({ metadata }: DecodedService, at: FieldPath): void {
  const { [hintsKey]: hints, [modeKey]: mode } = metadata?.annotations ?? {}
  if (hints === undefined || mode === undefined || hints === mode) return
  const detail = `must match annotations[${hintsKey}] when both are specified`
  at.key(modeKey).invalid(mode, detail)
}

function checkType(spec: Spec, at: FieldPath): void {
  const { type, clusterIPs = [], ipFamilies = [], externalName = '' } = spec
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    const detail = `may not be set to 'None' for ${type} services`
    at.child('clusterIPs').index(0).invalid('None', detail)
  }
  if (type !== 'ExternalName') return
  const detail = 'may not be set for ExternalName services'
  if (clusterIPs.length > 0) at.child('clusterIPs').forbidden(detail)
  if (ipFamilies.length > 0) at.child('ipFamilies').forbidden(detail)
  if (spec.ipFamilyPolicy !== undefined) at.child('ipFamilyPolicy').forbidden(detail)
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName
  if (name === '') at.child('externalName').required()
  else at.child('externalName').invalidEach(name, subdomainProblems(name))
}

function checkPorts({ ports = [] }: Spec, at: FieldPath): void {
  const names = new Set<string>()
  for (const [index, servicePort] of ports.entries()) {
    const { name = '', port = 0, protocol = '', targetPort = 0, appProtocol } = servicePort
    const place = at.index(index)
    if (name === '') {
      if (ports.length > 1) place.child('name').required()
    } else {
      place.child('name').invalidEach(name, labelProblems(name))
      if (names.has(name)) place.child('name').duplicate(name)
      else names.add(name)
    }
    place.child('port').invalidEach(port, portNumberProblems(port))
    if (protocol === '') place.child('protocol').required()
    else if (!protocols.includes(protocol))
      place.child('protocol').notSupported(protocol, protocols)
    checkPort(targetPort, place.child('targetPort'))
    if (appProtocol !== undefined) checkQualifiedName(appProtocol, place.child('appProtocol'))
  }
}

function checkPortConflicts({ type, ports = [] }: Spec, at: FieldPath): void {
  if (type === 'ClusterIP') {
    for (const [index, { nodePort = 0 }] of ports.entries()) {
      if (nodePort === 0) continue
      at.index(index).child('nodePort').forbidden("may not be used when `type` is 'ClusterIP'")
    }
  }
  const nodePorts = new Set<string>()
  for (const [index, { protocol = '', nodePort = 0 }] of ports.entries()) {
    const key = `${protocol}/${nodePort}`
    if (nodePort !== 0 && nodePorts.has(key)) at.index(index).child('nodePort').duplicate(nodePort)
    nodePorts.add(key)
  }
  const taken = new Set<string>()
  for (const [index, { protocol = '', port = 0 }] of ports.entries()) {
    const key = `${protocol}/${port}`
    const printed = () => printStruct({ protocol, port }, 'ServicePort')
    if (taken.has(key)) at.index(index).duplicatePrinted(printed())
    taken.add(key)
  }
}

function checkAffinity(spec: Spec, at: FieldPath): void {
  const { sessionAffinity = '', sessionAffinityConfig: config } = spec
  const place = at.child('sessionAffinityConfig')
  if (sessionAffinity === '') at.child('sessionAffinity').required()
  else if (!affinities.includes(sessionAffinity)) {
    at.child('sessionAffinity').notSupported(sessionAffinity, affinities)
  }
  if (sessionAffinity === 'None' && config !== undefined) {
    place.forbidden('must not be set when session affinity is None')
  }
  if (sessionAffinity !== 'ClientIP') return
  const detail = 'when session affinity type is ClientIP'
  const seconds = config?.clientIP?.timeoutSeconds
  if (config === undefined) place.required(detail)
  else if (config.clientIP === undefined) place.child('clientIP').required(detail)
  else if (seconds === undefined) place.child('clientIP', 'timeoutSeconds').required(detail)
  else if (seconds <= 0 || seconds > affinitySecondsMax) {
    const words = `must be greater than 0 and less than ${affinitySecondsMax}`
    place.child('clientIP', 'timeoutSeconds').invalid(seconds, words)
  }
}

function checkSourceRanges(service: DecodedService, at: FieldPath, old?: DecodedService): void {
  const { spec = {}, metadata } = service
  const onlyFor = "may only be used when `type` is 'LoadBalancer'"
  const ranges = spec.loadBalancerSourceRanges ?? []
  const isBalancer = spec.type === 'LoadBalancer'
  if (ranges.length > 0) {
    const place = at.child('spec', 'LoadBalancerSourceRanges')
    const known = (old?.spec?.loadBalancerSourceRanges ?? []).map((range) => range.trim())
    if (!isBalancer) place.forbidden(onlyFor)
    for (const [index, range] of ranges.entries()) {
      checkLegacyCidr(range.trim(), place.index(index), known)
    }
    return
  }
  const annotation = metadata?.annotations?.[rangesKey]
  if (annotation === undefined) return
  const place = at.child('metadata', 'annotations').key(rangesKey)
  if (!isBalancer) place.forbidden(onlyFor)
  if (annotation.trim() === '' || old?.metadata?.annotations?.[rangesKey] === annotation) return
  for (const range of annotation.trim().split(',')) checkLegacyCidr(range.trim(), place)
}

function checkAllocation(spec: Spec, at: FieldPath): void {
  const { type, allocateLoadBalancerNodePorts: allocate } = spec
  if (allocate !== undefined && type !== 'LoadBalancer') {
    const place = at.child('spec', 'allocateLoadBalancerNodePorts')
    place.forbidden("may only be used when `type` is 'LoadBalancer'")
  } else if (allocate === undefined && type === 'LoadBalancer') {
    at.child('allocateLoadBalancerNodePorts').required()
  }
}

function checkLoadBalancerClass({ type, loadBalancerClass }: Spec, at: FieldPath): void {
  if (loadBalancerClass === undefined) return
  if (type === 'LoadBalancer') checkQualifiedName(loadBalancerClass, at)
  else at.forbidden("may only be used when `type` is 'LoadBalancer'")
}

function isExternal({ type, externalIPs = [] }: Spec): boolean {
  return (
    type === 'LoadBalancer' ||
    type === 'NodePort' ||
    (type === 'ClusterIP' && externalIPs.length > 0)
  )
}

function needsHealthCheck({ type, externalTrafficPolicy }: Spec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
}

function checkTraffic(spec: Spec, at: FieldPath): void {
  const { externalTrafficPolicy: external = '', healthCheckNodePort: port = 0 } = spec
  const { internalTrafficPolicy: internal, trafficDistribution: distribution } = spec
  const externalAt = at.child('externalTrafficPolicy')
  if (!isExternal(spec)) {
    if (external !== '') {
      externalAt.invalid(external, 'may only be set for externally-accessible services')
    }
  } else if (external === '') externalAt.required()
  else if (!trafficPolicies.includes(external)) externalAt.notSupported(external, trafficPolicies)
  const portAt = at.child('healthCheckNodePort')
  if (!needsHealthCheck(spec)) {
    const detail =
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
    if (port !== 0) portAt.invalid(port, detail)
  } else if (port === 0) portAt.required()
  else portAt.invalidEach(port, portNumberProblems(port))
  if (internal === undefined) {
    const needsPolicy = ['NodePort', 'LoadBalancer', 'ClusterIP'].includes(spec.type ?? '')
    if (needsPolicy) at.child('internalTrafficPolicy').required()
  } else if (!trafficPolicies.includes(internal)) {
    at.child('internalTrafficPolicy').notSupported(internal, trafficPolicies)
  }
  if (distribution !== undefined && !distributions.includes(distribution)) {
    at.child('trafficDistribution').notSupportedText(distribution, distributions)
  }
}

function checkUpdate({ object, old, at }: Updated<Service>): void {
  const { spec = {} } = object
  const { spec: oldSpec = {} } = old
  const place = at.child('spec')
  checkClusterIpsUpdate(spec, oldSpec, place)
  checkIpFamiliesUpdate(spec, oldSpec, place)
  const areBalancers = spec.type === 'LoadBalancer' && oldSpec.type === 'LoadBalancer'
  const classAt = place.child('loadBalancerClass')
  if (areBalancers && spec.loadBalancerClass !== oldSpec.loadBalancerClass) {
    classAt.invalid(spec.loadBalancerClass, 'may not change once set')
  }
  checkLoadBalancerClass(spec, classAt)
  const isChecked = needsHealthCheck(spec) && needsHealthCheck(oldSpec)
  if (isChecked && spec.healthCheckNodePort !== oldSpec.healthCheckNodePort) {
    place.child('healthCheckNodePort').forbidden('field is immutable')
  }
  checkService(object, at, old)
}

/** Addresses are allocated before validation, and a failure reports only these errors. */
function hasUnusableAddresses(
  { spec = {} }: DecodedService,
  at: FieldPath,
  old?: DecodedService,
): boolean {
  return at.collects(() => checkClusterIps(spec, at.child('spec'), old?.spec))
}

/** The rules of Services that do not depend on allocated addresses and ports. */
export const serviceRules = checkedKind<Service>({
  group: '',
  kind: 'Service',
  resource: 'services',
  namespaced: true,
  nameRule: nameRules.label,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkService(object, at)
  },
  update(updated) {
    const { object, old, at } = updated
    if (hasUnusableAddresses(object, at, old)) return
    updated.checkMetadataUpdate()
    checkUpdate(updated)
  },
  subresources: {
    status({ object, old, at, checkMetadataUpdate }) {
      checkMetadataUpdate()
      const place = at.child('status', 'loadBalancer')
      const ingress = object.status?.loadBalancer?.ingress ?? []
      if (object.spec?.type !== 'LoadBalancer' && ingress.length > 0) {
        place.child('ingress').forbidden("may only be used when `spec.type` is 'LoadBalancer'")
      } else checkLoadBalancerStatus(ingress, place, old.status?.loadBalancer?.ingress)
    },
  },
})
