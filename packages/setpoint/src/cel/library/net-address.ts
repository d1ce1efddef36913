/** Reads and prints addresses as Go's `net/netip` does. */
import { goQuote } from '../../schema/index.ts'

/** An address: 4 or 16 bytes. */
export interface IpAddress {
  readonly bytes: readonly number[]
  readonly zone: string
}

class AddressProblem extends Error {}

function fail(text: string, message: string, at = ''): never {
  const place = at === '' ? '' : ` (at ${goQuote(at)})`
  throw new AddressProblem(`ParseAddr(${goQuote(text)}): ${message}${place}`)
}

/** The address, or Go's message. */
export function readAddress(text: string): IpAddress | { readonly problem: string } {
  try {
    const first = /[.:%]/.exec(text)?.[0]
    if (first === '.') return { bytes: readIpv4(text, text), zone: '' }
    if (first === ':') return readIpv6(text)
    return fail(text, first === '%' ? 'missing IPv6 address' : 'unable to parse IP')
  } catch (error) {
    if (!(error instanceof AddressProblem)) throw error
    return { problem: error.message }
  }
}

/** Reads four numbers from the end of `whole`. */
function readIpv4(whole: string, text: string): number[] {
  const fields: number[] = []
  let value = 0
  let digits = 0
  for (const [index, character] of [...text].entries()) {
    if (/\d/.test(character)) {
      if (digits === 1 && value === 0) fail(whole, 'IPv4 field has octet with leading zero')
      value = value * 10 + Number(character)
      digits++
      if (value > 255) fail(whole, 'IPv4 field has value >255')
    } else if (character === '.') {
      if (index === 0 || index === text.length - 1 || text[index - 1] === '.') {
        fail(whole, 'IPv4 field must have at least one digit', text.slice(index))
      }
      if (fields.length === 3) fail(whole, 'IPv4 address too long')
      fields.push(value)
      value = 0
      digits = 0
    } else {
      fail(whole, 'unexpected character', text.slice(index))
    }
  }
  if (fields.length < 3) fail(whole, 'IPv4 address too short')
  return [...fields, value]
}

function readIpv6(whole: string): IpAddress {
  const percent = whole.indexOf('%')
  const zone = percent < 0 ? '' : whole.slice(percent + 1)
  if (percent >= 0 && zone === '') fail(whole, 'zone must be a non-empty string')
  let rest = percent < 0 ? whole : whole.slice(0, percent)
  let gap = -1
  if (rest.startsWith('::')) {
    gap = 0
    rest = rest.slice(2)
    if (rest === '') return { bytes: new Array<number>(16).fill(0), zone }
  }
  const bytes: number[] = []
  while (bytes.length < 16) {
    const group = readGroup(whole, rest)
    if (rest[group.length] === '.') {
      bytes.push(...embeddedIpv4(whole, rest, { gap, at: bytes.length }))
      rest = ''
      break
    }
    const value = Number.parseInt(group, 16)
    bytes.push(value >> 8, value & 255)
    rest = rest.slice(group.length)
    if (rest === '') break
    if (!rest.startsWith(':')) fail(whole, 'unexpected character, want colon', rest)
    if (rest.length === 1) fail(whole, 'colon must be followed by more characters', rest)
    rest = rest.slice(1)
    if (!rest.startsWith(':')) continue
    if (gap >= 0) fail(whole, 'multiple :: in address', rest)
    gap = bytes.length
    rest = rest.slice(1)
    if (rest === '') break
  }
  if (rest !== '') fail(whole, 'trailing garbage after address', rest)
  return { bytes: fillGap(whole, bytes, gap), zone }
}

function readGroup(whole: string, rest: string): string {
  const group = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? ''
  if (group.length > 4) fail(whole, 'each group must have 4 or less digits', rest)
  if (group === '') {
    fail(whole, 'each colon-separated field must have at least one digit', rest)
  }
  return group
}

function embeddedIpv4(
  whole: string,
  rest: string,
  place: { readonly gap: number; readonly at: number },
): number[] {
  if (place.gap < 0 && place.at !== 12) {
    fail(whole, 'embedded IPv4 address must replace the final 2 fields of the address', rest)
  }
  if (place.at + 4 > 16) {
    fail(whole, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest)
  }
  return readIpv4(whole, rest)
}

function fillGap(whole: string, bytes: readonly number[], gap: number): number[] {
  if (bytes.length === 16) {
    if (gap >= 0) fail(whole, 'the :: must expand to at least one field of zeros')
    return [...bytes]
  }
  if (gap < 0) fail(whole, 'address string too short')
  const zeros = new Array<number>(16 - bytes.length).fill(0)
  return [...bytes.slice(0, gap), ...zeros, ...bytes.slice(gap)]
}

/** Whether it is an IPv4 address in the form of an IPv6 one. */
export function isMapped({ bytes }: IpAddress): boolean {
  return (
    bytes.length === 16 &&
    bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 255 &&
    bytes[11] === 255
  )
}

/** The canonical text. */
export function printAddress({ bytes }: IpAddress): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  )
  const { start, length } = longestZeros(groups)
  if (length < 2) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
}

function longestZeros(groups: readonly string[]): { start: number; length: number } {
  let best = { start: -1, length: 0 }
  let length = 0
  for (const [index, group] of groups.entries()) {
    length = group === '0' ? length + 1 : 0
    if (length > best.length) best = { start: index - length + 1, length }
  }
  return best
}
