import { SetpointError } from '../errors/index.ts'
import { der } from './der.ts'

const dnsTag = 2
const ipTag = 7

/**
 * A host as a subject alternative name: an IPv4 or IPv6 address, or a DNS name, which may begin with
 * `*.`.
 */
export function alternativeName(host: string): Uint8Array {
  const address = ipv4Bytes(host) ?? ipv6Bytes(host)
  if (address !== undefined) return der.context(ipTag, Uint8Array.from(address), false)
  if (/^(\*\.)?[a-z0-9_]([-a-z0-9_.]*[a-z0-9_])?$/i.test(host) && host.length <= 253) {
    return der.context(dnsTag, new TextEncoder().encode(host), false)
  }
  throw new SetpointError(
    'CERTIFICATE_INVALID',
    `a certificate cannot have the host ${JSON.stringify(host)}`,
    { hint: 'write a DNS name or an IP address, without a port' },
  )
}

function ipv4Bytes(text: string): number[] | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return undefined
  const bytes = text.split('.').map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : undefined
}

/** Reads all forms: `::1`, `fd00::a:1`, `::ffff:10.0.0.1`. */
function ipv6Bytes(text: string): number[] | undefined {
  if (!text.includes(':')) return undefined
  const [head = '', tail, ...more] = text.split('::')
  const [left, right] = [groupBytes(head), groupBytes(tail ?? '')]
  if (left === undefined || right === undefined || more.length > 0) return undefined
  const missing = 16 - left.length - right.length
  // `::` stands for at least one group of zeros.
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined
  return [...left, ...Array<number>(missing).fill(0), ...right]
}

function groupBytes(text: string): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const bytes: number[] = []
  for (const [index, group] of groups.entries()) {
    const ipv4 = index === groups.length - 1 ? ipv4Bytes(group) : undefined
    if (ipv4 !== undefined) {
      bytes.push(...ipv4)
    } else if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = parseInt(group, 16)
      bytes.push(value >> 8, value & 0xff)
    } else {
      return undefined
    }
  }
  return bytes
}
