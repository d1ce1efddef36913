import type { Service } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import { cidrWarnings, ipWarnings } from '../fields/ip-warnings.ts'
import type { WarningInput } from '../warning-input.ts'

/** Warns about fields that this type of service ignores, and addresses that are not canonical. */
export function serviceWarnings({ object, at }: WarningInput<Decoded<Service>>): string[] {
  const { metadata, spec = {} } = object
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
