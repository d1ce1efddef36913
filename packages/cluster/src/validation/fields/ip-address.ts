/** IP addresses and networks, parsed as leniently as in the older fields of Kubernetes. */

/** An address as a number of 128 bits; IPv4 addresses are mapped into IPv6, as in Go. */
interface IpAddress {
  readonly value: bigint
  readonly isIpv4: boolean
  /** Written with a colon, which is also true for an IPv4 address mapped into IPv6. */
  readonly hasColon: boolean
}

/** A network: the masked address and the length of its prefix. */
interface IpNetwork {
  readonly address: IpAddress
  readonly network: bigint
  readonly prefix: number
  readonly bits: 32 | 128
}

const mappedPrefix = 0xffffn << 32n

function parseQuad(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    if (!/^[0-9]+$/.test(part) || Number(part) > 255) return undefined
    value = (value << 8n) | BigInt(Number(part))
  }
  return value
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [left = '', right] = halves
  const head = groupsOf(left)
  const tail = right === undefined ? [] : groupsOf(right)
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...tail]
  return groups.reduce((value, group) => (value << 16n) | group, 0n)
}

/** The 16-bit groups of one side of `::`; a dotted quad at the end counts as two. */
function groupsOf(half: string): bigint[] | undefined {
  if (half === '') return []
  const groups: bigint[] = []
  const parts = half.split(':')
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes('.')) {
      const quad = parseQuad(part)
      if (quad === undefined) return undefined
      groups.push(quad >> 16n, quad & 0xffffn)
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`))
    else return undefined
  }
  return groups
}

/** Parses an address; leading zeros are allowed, zones are not. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(':')) {
    const quad = parseQuad(text)
    if (quad === undefined) return undefined
    return { value: mappedPrefix | quad, isIpv4: true, hasColon: false }
  }
  const value = parseIpv6(text)
  if (value === undefined) return undefined
  return { value, isIpv4: value >> 32n === 0xffffn, hasColon: true }
}

/** Parses a network such as `10.0.0.0/8`; bits after the prefix are allowed. */
export function parseCidr(text: string): IpNetwork | undefined {
  const slash = text.indexOf('/')
  const address = slash < 0 ? undefined : parseIp(text.slice(0, slash))
  const digits = text.slice(slash + 1)
  if (address === undefined || !/^[0-9]+$/.test(digits)) return undefined
  const bits = address.hasColon ? 128 : 32
  const prefix = Number(digits)
  if (prefix > bits) return undefined
  const hostBits = BigInt(bits - prefix)
  return { address, network: (address.value >> hostBits) << hostBits, prefix, bits }
}

/** Whether the network contains the address; both must have the same family. */
export function containsIp(network: IpNetwork, address: IpAddress, value: bigint): boolean {
  if (network.address.isIpv4 !== address.isIpv4) return false
  const hostBits = BigInt(network.bits - network.prefix)
  return value >> hostBits === network.network >> hostBits
}

/** The address in canonical form (RFC 5952). */
export function formatIp({ value, isIpv4 }: IpAddress): string {
  if (isIpv4) {
    return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
  }
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(16 * (7 - index))) & 0xffffn).toString(16),
  )
  let best = { start: -1, length: 1 }
  for (let start = 0; start < 8; start++) {
    let length = 0
    while (groups[start + length] === '0') length++
    if (length > best.length) best = { start, length }
  }
  if (best.start < 0) return groups.join(':')
  const head = groups.slice(0, best.start).join(':')
  return `${head}::${groups.slice(best.start + best.length).join(':')}`
}

/** Whether both families occur, each at most once. */
export function isDualStack(addresses: readonly (IpAddress | undefined)[]): boolean {
  return (
    addresses.some((address) => address?.isIpv4 === true) &&
    addresses.some((address) => address?.isIpv4 === false)
  )
}
