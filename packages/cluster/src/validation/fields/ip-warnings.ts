import type { FieldPath } from '../go/field-path.ts'
import { formatIp, parseCidr, parseIp } from './ip-address.ts'

/** Warns about a valid address that is not canonical. */
export function ipWarnings(text: string, at: FieldPath): string[] {
  const address = parseIp(text)
  if (address === undefined) return []
  const canonical = formatIp(address)
  if (address.isIpv4 && canonical !== text) {
    return [`${at.path}: non-standard IP address "${text}" is invalid: use "${canonical}"`]
  }
  if (canonical === text) return []
  const form = `should be in RFC 5952 canonical format ("${canonical}")`
  return [`${at.path}: IPv6 address "${text}" ${form}`]
}

/** Warns about a valid network that is not canonical. */
export function cidrWarnings(text: string, at: FieldPath): string[] {
  const parsed = parseCidr(text)
  if (parsed === undefined || parsed.address.isIpv4) return []
  const canonical = `${formatIp({ ...parsed.address, value: parsed.network })}/${parsed.prefix}`
  if (canonical === text) return []
  const form = `should be in RFC 5952 canonical format ("${canonical}")`
  return [`${at.path}: IPv6 CIDR value "${text}" ${form}`]
}
