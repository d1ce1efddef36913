import type { FieldPath } from '../go/field-path.ts'
import { formatIp, parseCidr, parseIp } from './ip-address.ts'

const unreadableIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const unreadableCidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

function ipProblems(text: string): string[] {
  const address = parseIp(text)
  if (address === undefined) return [unreadableIp]
  const problems: string[] = []
  if (/(^|[.:])0[0-9]+(\.|$)/.test(text)) problems.push('must not have leading 0s')
  if (address.isIpv4 && address.hasColon) problems.push('must not be an IPv4-mapped IPv6 address')
  return problems
}

function cidrProblem(text: string): string | undefined {
  const parsed = parseCidr(text)
  if (parsed === undefined) return unreadableCidr
  const { address, network } = parsed
  if (/(^|[.:])0[0-9]+[./]|\/0[0-9]/.test(text)) {
    return 'must not have leading 0s in IP or prefix length'
  }
  if (address.isIpv4 && address.hasColon) return 'must not have an IPv4-mapped IPv6 address'
  return network === address.value ? undefined : 'must not have bits set beyond the prefix length'
}

/** Checks an address of an older field, which is parsed leniently; stored values are tolerated. */
export function checkLegacyIp(
  text: string,
  at: FieldPath,
  known: readonly (string | undefined)[] = [],
): boolean {
  if (known.includes(text)) return true
  const problems = ipProblems(text)
  at.invalidEach(text, problems)
  return problems.length === 0
}

/** Checks a network of an older field. */
export function checkLegacyCidr(
  text: string,
  at: FieldPath,
  known: readonly (string | undefined)[] = [],
): boolean {
  const problem = known.includes(text) ? undefined : cidrProblem(text)
  if (problem !== undefined) at.invalid(text, problem)
  return problem === undefined
}

/** The errors of an address that must be canonical. */
export function strictIpProblems(text: string): string[] {
  const problems = ipProblems(text)
  const address = parseIp(text)
  if (problems.length > 0 || address === undefined || formatIp(address) === text) return problems
  return [`must be in canonical form ("${formatIp(address)}")`]
}

/** Checks a network that must be canonical. */
export function checkStrictCidr(text: string, at: FieldPath): void {
  const parsed = parseCidr(text)
  if (!checkLegacyCidr(text, at) || parsed === undefined) return
  const canonical = `${formatIp(parsed.address)}/${parsed.prefix}`
  if (canonical !== text) at.invalid(text, `must be in canonical form ("${canonical}")`)
}

/**
 * Checks that an address can be an endpoint: not unspecified, loopback, link-local (multicast).
 */
export function checkEndpointIp(text: string, at: FieldPath): void {
  const address = parseIp(text)
  if (address === undefined) return at.invalid(text, 'must be a valid IP address')
  const { value, isIpv4 } = address
  const quad = value & 0xffffffffn
  if (isIpv4 ? quad === 0n : value === 0n) at.invalid(text, `may not be unspecified (${text})`)
  if (isIpv4 ? quad >> 24n === 127n : value === 1n) {
    at.invalid(text, 'may not be in the loopback range (127.0.0.0/8, ::1/128)')
  }
  if (isIpv4 ? quad >> 16n === 0xa9fen : value >> 118n === 0x3fan) {
    at.invalid(text, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)')
  }
  if (isIpv4 ? quad >> 8n === 0xe00000n : (value >> 112n) % 16n === 2n && value >> 120n === 0xffn) {
    at.invalid(text, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)')
  }
}
