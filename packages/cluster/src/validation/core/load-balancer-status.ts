import type { LoadBalancerIngress } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { parseIp } from '../fields/ip-address.ts'
import { checkLegacyIp } from '../fields/ip-rules.ts'
import { subdomainProblems } from '../fields/name-rules.ts'

type Ingress = Decoded<LoadBalancerIngress>

const ipModes = ['Proxy', 'VIP']

/** Checks the addresses of a load balancer; those of Ingresses have no mode. */
export function checkLoadBalancerStatus(
  ingress: readonly Ingress[],
  at: FieldPath,
  old: readonly Ingress[] = [],
): void {
  const known = old.map(({ ip }) => ip)
  for (const [index, { ip = '', ipMode, hostname = '' }] of ingress.entries()) {
    const place = at.child('ingress').index(index)
    if (ip !== '') checkLegacyIp(ip, place.child('ip'), known)
    if (ipMode === undefined) {
      if (ip !== '') place.child('ipMode').required('must be specified when `ip` is set')
    } else if (ip === '') {
      place.child('ipMode').forbidden('may not be specified when `ip` is not set')
    } else if (!ipModes.includes(ipMode)) place.child('ipMode').notSupported(ipMode, ipModes)
    checkHostname(hostname, place.child('hostname'))
  }
}

/** Checks a hostname, which must not be an IP address. */
export function checkHostname(hostname: string, at: FieldPath): void {
  if (hostname === '') return
  at.invalidEach(hostname, subdomainProblems(hostname))
  if (parseIp(hostname) !== undefined) {
    at.invalid(hostname, 'must be a DNS name, not an IP address')
  }
}
