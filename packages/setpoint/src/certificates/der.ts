import { joinBytes } from '../host/index.ts'

/** The parts of DER that certificates need (see decision 0008). */

/** A tag, a length and a content. */
function element(tag: number, content: Uint8Array): Uint8Array {
  return joinBytes([Uint8Array.of(tag), lengthOf(content.length), content])
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Uint8Array.of(0x80 | bytes.length, ...bytes)
}

/**
 * Encodes DER: each type of element by its name. For certificates with other extensions than those of
 * `CertificateAuthority`.
 */
export const der = {
  sequence: (...parts: Uint8Array[]): Uint8Array => element(0x30, joinBytes(parts)),
  set: (...parts: Uint8Array[]): Uint8Array => element(0x31, joinBytes(parts)),
  /** A positive integer, big-endian. */
  integer: (bytes: Uint8Array): Uint8Array =>
    element(0x02, (bytes[0] ?? 0) >= 0x80 ? joinBytes([Uint8Array.of(0), bytes]) : bytes),
  boolean: (value: boolean): Uint8Array => element(0x01, Uint8Array.of(value ? 0xff : 0)),
  octets: (bytes: Uint8Array): Uint8Array => element(0x04, bytes),
  /** A bit string whose last `unused` bits are not used. */
  bits: (bytes: Uint8Array, unused = 0): Uint8Array =>
    element(0x03, joinBytes([Uint8Array.of(unused), bytes])),
  text: (value: string): Uint8Array => element(0x0c, new TextEncoder().encode(value)),
  /** A time in seconds. Years until 2049 have two digits. */
  time: (epochMs: number): Uint8Array => {
    const digits = new Date(epochMs).toISOString().replace(/[-:T]/g, '').slice(0, 14)
    const isShort = digits < '2050'
    const text = new TextEncoder().encode(`${isShort ? digits.slice(2) : digits}Z`)
    return element(isShort ? 0x17 : 0x18, text)
  },
  oid: (dotted: string): Uint8Array => element(0x06, oidBytes(dotted)),
  /** A context-specific element: `[n]`. */
  context: (number: number, content: Uint8Array, isConstructed = true): Uint8Array =>
    element((isConstructed ? 0xa0 : 0x80) | number, content),
} as const

function oidBytes(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const number of rest) {
    const groups: number[] = []
    let value = number
    do {
      groups.unshift((value % 128) | (groups.length > 0 ? 0x80 : 0))
      value = Math.floor(value / 128)
    } while (value > 0)
    bytes.push(...groups)
  }
  return Uint8Array.from(bytes)
}

/** Bytes as PEM text, for example with the label `CERTIFICATE`. */
export function pem(label: string, bytes: Uint8Array): string {
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const lines = base64.match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
