/**
 * An IP address as 16 bytes, with IPv4 as an IPv4-mapped IPv6 address; `undefined` for anything
 * else. As strict as Go: four decimal numbers without leading zeros, no zones.
 */
export function ipBytes(text: string): readonly number[] | undefined {
  const four = ipv4Bytes(text)
  if (four !== undefined) return [...ipv4Prefix, ...four]
  if (!text.includes(':') || !/^[0-9a-f:.]+$/i.test(text)) return undefined
  // The URL parser accepts every notation of an IPv6 address and normalizes it.
  const url = `http://[${text}]`
  if (!URL.canParse(url)) return undefined
  const [head = '', tail] = new URL(url).hostname.slice(1, -1).split('::')
  const before = groups(head)
  const after = groups(tail ?? '')
  const gap = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...gap, ...after].flatMap((group) => [group >> 8, group & 0xff])
}

/** Whether an address is a loopback address. */
export function isLoopback(bytes: readonly number[]): boolean {
  if (isIpv4(bytes)) return bytes[12] === 127
  return bytes.every((byte, index) => byte === (index === 15 ? 1 : 0))
}

/** Whether a range such as `10.0.0.0/8` contains an address; `undefined` when it is not a range. */
export function rangeHolds(range: string, bytes: readonly number[]): boolean | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(range) ?? []
  const network = ipBytes(address)
  if (network === undefined) return undefined
  const isShort = !address.includes(':')
  const bits = Number(length)
  if (bits > (isShort ? 32 : 128)) return undefined
  if (isShort !== isIpv4(bytes)) return false
  const prefixBits = isShort ? bits + 96 : bits
  return network.every((byte, index) => {
    const ignored = Math.min(8, Math.max(0, (index + 1) * 8 - prefixBits))
    return byte >> ignored === (bytes[index] ?? 0) >> ignored
  })
}

/** The prefix of IPv4-mapped IPv6 addresses. */
const ipv4Prefix: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

function isIpv4(bytes: readonly number[]): boolean {
  return ipv4Prefix.every((byte, index) => bytes[index] === byte)
}

function ipv4Bytes(text: string): readonly number[] | undefined {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return undefined
  const bytes = text.split('.').map(Number)
  return bytes.every((byte) => byte < 256) ? bytes : undefined
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
