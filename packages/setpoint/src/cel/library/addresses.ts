/** IP addresses and networks: `ip("10.0.0.1")`, `cidr("10.0.0.0/8").containsIP(...)`. */
import { goQuote } from '../../schema/index.ts'
import { opaqueType } from '../types/cel-type.ts'
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import { CelError, CelObject } from '../values/cel-value.ts'
import { isMapped, printAddress, readAddress, type IpAddress } from './net-address.ts'

const ipType = opaqueType('net.IP')
const cidrType = opaqueType('net.CIDR')

/** An address. */
class CelIp extends CelObject {
  readonly type = ipType
  readonly address: IpAddress
  constructor(address: IpAddress) {
    super()
    this.address = address
  }
  override get size(): number {
    return this.address.bytes.length
  }
  equals(other: CelObject): boolean {
    return other instanceof CelIp && printAddress(other.address) === printAddress(this.address)
  }
}

/** A network. */
class CelCidr extends CelObject {
  readonly type = cidrType
  readonly address: IpAddress
  readonly bits: number
  constructor(address: IpAddress, bits: number) {
    super()
    this.address = address
    this.bits = bits
  }
  override get size(): number {
    return Math.ceil(this.bits / 8)
  }
  equals(other: CelObject): boolean {
    return other instanceof CelCidr && this.toString() === other.toString()
  }
  override toString(): string {
    return `${printAddress(this.address)}/${this.bits}`
  }
}

function readIp(text: string): CelIp | CelError {
  const address = readAddress(text)
  const quoted = goQuote(text)
  if ('problem' in address) {
    return new CelError(
      `IP Address ${quoted} parse error during conversion from string: ${address.problem}`,
    )
  }
  if (address.zone !== '') {
    return new CelError(`IP address ${quoted} with zone value is not allowed`)
  }
  return isMapped(address)
    ? new CelError(`IPv4-mapped IPv6 address ${quoted} is not allowed`)
    : new CelIp(address)
}

function readCidr(text: string): CelCidr | CelError {
  const head = 'network address parse error during conversion from string: '
  const parsed = readPrefix(text)
  if ('problem' in parsed) {
    return new CelError(`${head}${head}netip.ParsePrefix(${goQuote(text)}): ${parsed.problem}`)
  }
  return isMapped(parsed.address)
    ? new CelError(`${head}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
    : parsed
}

function readPrefix(text: string): CelCidr | { readonly problem: string } {
  const slash = text.lastIndexOf('/')
  if (slash < 0) return { problem: "no '/'" }
  const address = readAddress(text.slice(0, slash))
  if ('problem' in address) return address
  if (address.zone !== '') return { problem: 'IPv6 zones cannot be present in a prefix' }
  const bits = text.slice(slash + 1)
  if (!/^(?:0|[1-9]\d*)$/.test(bits)) {
    return { problem: `bad bits after slash: ${goQuote(bits)}` }
  }
  if (Number(bits) > address.bytes.length * 8) return { problem: 'prefix length out of range' }
  return new CelCidr(address, Number(bits))
}

/** The address with zeros after the first bits. */
function masked({ bytes, zone }: IpAddress, bits: number): IpAddress {
  const kept = bytes.map((byte, index) => {
    const keep = Math.max(0, Math.min(8, bits - index * 8))
    return byte & (0xff << (8 - keep)) & 0xff
  })
  return { bytes: kept, zone }
}

function contains(cidr: CelCidr, address: IpAddress): boolean {
  if (cidr.address.bytes.length !== address.bytes.length) return false
  const network = printAddress(masked(cidr.address, cidr.bits))
  return printAddress(masked(address, cidr.bits)) === network
}

function containsCidr(cidr: CelCidr, other: CelCidr): boolean {
  return cidr.bits <= other.bits && contains(cidr, other.address)
}

const addressOf = (value: unknown): IpAddress => (value as CelIp).address
const asCidr = (value: unknown): CelCidr => value as CelCidr
const noSuchOverload = new CelError('no such overload')

/** Tests the first bytes of an address by its family. */
function test(
  ipv4: (bytes: readonly number[]) => boolean,
  ipv6: (bytes: readonly number[]) => boolean,
) {
  return (value: unknown): boolean => {
    const { bytes } = addressOf(value)
    return bytes.length === 4 ? ipv4(bytes) : ipv6(bytes)
  }
}

const isZero = (bytes: readonly number[]): boolean => bytes.every((byte) => byte === 0)
const isUnspecified = test(isZero, isZero)
const isLoopback = test(
  ([first]) => first === 127,
  (bytes) => isZero(bytes.slice(0, 15)) && bytes[15] === 1,
)
const isMulticast = test(
  ([first = 0]) => first >> 4 === 0xe,
  ([first]) => first === 0xff,
)
const isLinkLocalMulticast = test(
  ([first, second, third]) => first === 224 && second === 0 && third === 0,
  ([first, second = 0]) => first === 0xff && (second & 0x0f) === 2,
)
const isLinkLocalUnicast = test(
  ([first, second]) => first === 169 && second === 254,
  ([first, second = 0]) => first === 0xfe && (second & 0xc0) === 0x80,
)
const isBroadcast = test(
  (bytes) => bytes.every((byte) => byte === 255),
  () => false,
)
const isGlobalUnicast = (value: unknown): boolean =>
  !isBroadcast(value) &&
  !isUnspecified(value) &&
  !isLoopback(value) &&
  !isMulticast(value) &&
  !isLinkLocalUnicast(value)

/** The functions of addresses and networks. */
export const addresses: readonly FunctionDeclaration[] = declare({
  ip: [
    ['string_to_ip(string): net.IP', (text) => readIp(text as string)],
    ['.cidr_ip(net.CIDR): net.IP', (cidr) => new CelIp(asCidr(cidr).address)],
  ],
  isIP: [['is_ip(string): bool', (text) => !(readIp(text as string) instanceof CelError)]],
  'ip.isCanonical': [
    [
      'ip_is_canonical(string): bool',
      (text) => {
        const ip = readIp(text as string)
        return ip instanceof CelError ? ip : printAddress(ip.address) === text
      },
    ],
  ],
  family: [['.ip_family(net.IP): int', (ip) => (addressOf(ip).bytes.length === 4 ? 4n : 6n)]],
  isUnspecified: [['.ip_is_unspecified(net.IP): bool', isUnspecified]],
  isLoopback: [['.ip_is_loopback(net.IP): bool', isLoopback]],
  isLinkLocalMulticast: [['.ip_is_link_local_multicast(net.IP): bool', isLinkLocalMulticast]],
  isLinkLocalUnicast: [['.ip_is_link_local_unicast(net.IP): bool', isLinkLocalUnicast]],
  isGlobalUnicast: [['.ip_is_global_unicast(net.IP): bool', isGlobalUnicast]],
  string: [
    ['ip_to_string(net.IP): string', (ip) => printAddress(addressOf(ip))],
    ['cidr_to_string(net.CIDR): string', (cidr) => asCidr(cidr).toString()],
  ],
  cidr: [['string_to_cidr(string): net.CIDR', (text) => readCidr(text as string)]],
  isCIDR: [['is_cidr(string): bool', (text) => !(readCidr(text as string) instanceof CelError)]],
  containsIP: [
    [
      '.cidr_contains_ip_string(net.CIDR, string): bool',
      (cidr, text) => {
        const ip = readIp(text as string)
        return ip instanceof CelError ? noSuchOverload : contains(asCidr(cidr), ip.address)
      },
    ],
    [
      '.cidr_contains_ip_ip(net.CIDR, net.IP): bool',
      (cidr, ip) => contains(asCidr(cidr), addressOf(ip)),
    ],
  ],
  containsCIDR: [
    [
      '.cidr_contains_cidr_string(net.CIDR, string): bool',
      (cidr, text) => {
        const other = readCidr(text as string)
        return other instanceof CelError ? other : containsCidr(asCidr(cidr), other)
      },
    ],
    [
      '.cidr_contains_cidr(net.CIDR, net.CIDR): bool',
      (cidr, other) => containsCidr(asCidr(cidr), asCidr(other)),
    ],
  ],
  prefixLength: [['.cidr_prefix_length(net.CIDR): int', (cidr) => BigInt(asCidr(cidr).bits)]],
  masked: [
    [
      '.cidr_masked(net.CIDR): net.CIDR',
      (cidr) => new CelCidr(masked(asCidr(cidr).address, asCidr(cidr).bits), asCidr(cidr).bits),
    ],
  ],
})
