/** The cluster IPs of a Service, and their families. */
import type { ServiceSpec } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { isDualStack, parseIp } from '../fields/ip-address.ts'
import { checkLegacyIp } from '../fields/ip-rules.ts'

type Spec = Decoded<ServiceSpec>

const families = ['IPv4', 'IPv6']
const familyPolicies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** Whether the Service is headless. */
export function isHeadless({ clusterIPs = [] }: Spec): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === 'None'
}

/** Checks addresses, families and their agreement. */
export function checkClusterIps(spec: Spec, at: FieldPath, old?: Spec): void {
  if (spec.type === 'ExternalName') return
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec
  const place = at.child('clusterIPs')
  if (clusterIP === '') {
    if (clusterIPs.length > 0) {
      place.invalid(clusterIPs, 'must be empty when `clusterIP` is not specified')
    }
  } else if (clusterIPs.length === 0) place.required()
  else if (clusterIPs[0] !== clusterIP) {
    place.invalid(clusterIPs, 'first value must match `clusterIP`')
  }
  checkFamilies(ipFamilies, at.child('ipFamilies'))
  if (ipFamilyPolicy !== undefined && !familyPolicies.includes(ipFamilyPolicy)) {
    at.child('ipFamilyPolicy').notSupported(ipFamilyPolicy, familyPolicies)
  }
  if (!checkAddresses(clusterIPs, place, old)) return
  if (clusterIPs.length > 1 && !isDualStack(clusterIPs.map(parseIp))) {
    place.invalid(clusterIPs, 'may specify no more than one IP for each IP family')
  }
  if (isHeadless(spec)) return
  for (const [index, ip] of clusterIPs.slice(0, ipFamilies.length).entries()) {
    const family = ipFamilies[index] ?? ''
    const isIpv6 = parseIp(ip)?.isIpv4 === false
    if ((family === 'IPv4' && !isIpv6) || (family === 'IPv6' && isIpv6)) continue
    if (!families.includes(family)) continue
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``
    place.index(index).invalid(ip, detail)
  }
}

function checkFamilies(ipFamilies: readonly string[], at: FieldPath): void {
  const seen = new Set<string>()
  for (const [index, family] of ipFamilies.entries()) {
    if (!families.includes(family)) at.index(index).notSupported(family, families)
    if (seen.has(family)) at.index(index).duplicate(family)
    seen.add(family)
  }
}

/** Whether all addresses can be parsed. */
function checkAddresses(clusterIPs: readonly string[], at: FieldPath, old?: Spec): boolean {
  let areReadable = true
  for (const [index, ip] of clusterIPs.entries()) {
    if (index === 0 && ip === 'None') {
      if (clusterIPs.length === 1) continue
      areReadable = false
      at.invalid(clusterIPs, "'None' must be the first and only value")
    } else if (!checkLegacyIp(ip, at.index(index), old?.clusterIPs)) areReadable = false
  }
  if (clusterIPs.length > 2) at.invalid(clusterIPs, 'may only hold up to 2 values')
  return areReadable
}

/** The first address is immutable; a second one can be added and removed. */
export function checkClusterIpsUpdate(spec: Spec, old: Spec, at: FieldPath): void {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return
  if (isHeadless(spec) && isHeadless(old)) return
  const { clusterIPs = [] } = spec
  const before = old.clusterIPs ?? []
  const place = at.child('clusterIPs')
  if (before.length === clusterIPs.length) {
    for (const [index, ip] of before.entries()) {
      if (ip !== clusterIPs[index])
        place.index(index).invalid(clusterIPs, 'may not change once set')
    }
    return
  }
  if (clusterIPs.length === 0) {
    place.index(0).invalid(undefined, 'primary clusterIP can not be unset')
  } else if (before.length > 0 && clusterIPs[0] !== before[0]) {
    place.index(0).invalid(clusterIPs, 'may not change once set')
  }
  const isReleased = before.length > clusterIPs.length && clusterIPs.length === 1
  if (isReleased && spec.ipFamilyPolicy !== 'SingleStack') {
    const detail = "must be set to 'SingleStack' when releasing the secondary clusterIP"
    at.child('ipFamilyPolicy').invalid(spec.ipFamilyPolicy, detail)
  }
}

/** Families change only with their addresses. */
export function checkIpFamiliesUpdate(spec: Spec, old: Spec, at: FieldPath): void {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return
  if (isHeadless(spec) || isHeadless(old)) return
  const { ipFamilies = [], clusterIPs } = spec
  const before = old.ipFamilies ?? []
  const place = at.child('ipFamilies').index(0)
  if (before.length === ipFamilies.length) {
    for (const [index, family] of before.entries()) {
      if (family !== ipFamilies[index]) place.invalid(ipFamilies, 'may not change once set')
    }
    return
  }
  const isSmaller = before.length > ipFamilies.length
  if (isSmaller && (clusterIPs ?? []).length === 0) {
    place.invalid(ipFamilies, 'primary ipFamily can not be unset')
  }
  if (before.length > 0 && ipFamilies.length > 0 && ipFamilies[0] !== before[0]) {
    place.invalid(clusterIPs, 'may not change once set')
  }
  if (isSmaller && ipFamilies.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    const detail = "must be set to 'SingleStack' when releasing the secondary ipFamily"
    at.child('ipFamilyPolicy').invalid(spec.ipFamilyPolicy, detail)
  }
}
