import { TimeError } from './go-time.ts'

const unitNanos: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}
const maxNanos = 2n ** 63n - 1n

/** Parses a Go duration such as `1h30m` or `1.5s`; throws TimeError with Go's message. */
export function parseDuration(text: string): bigint {
  const invalid = new TimeError(`time: invalid duration ${JSON.stringify(text)}`)
  const sign = text.startsWith('-') ? -1n : 1n
  let rest = /^[+-]/.test(text) ? text.slice(1) : text
  if (rest === '0') return 0n
  if (rest === '') throw invalid
  let total = 0n
  while (rest !== '') {
    const number = /^(\d*)(?:\.(\d*))?/.exec(rest)
    const [whole = '', integer = '', fraction = ''] = number ?? []
    if (integer === '' && fraction === '') throw invalid
    rest = rest.slice(whole.length)
    const unit = /^[^.\d]*/.exec(rest)?.[0] ?? ''
    const quoted = JSON.stringify(text)
    if (unit === '') throw new TimeError(`time: missing unit in duration ${quoted}`)
    const nanos = Object.hasOwn(unitNanos, unit) ? unitNanos[unit] : undefined
    if (nanos === undefined) {
      throw new TimeError(`time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`)
    }
    rest = rest.slice(unit.length)
    total += BigInt(integer === '' ? 0 : integer) * nanos
    const digits = fraction.slice(0, 18)
    if (digits !== '') total += (BigInt(digits) * nanos) / 10n ** BigInt(digits.length)
    if (total > maxNanos) throw invalid
  }
  return sign * total
}

/** Prints nanoseconds as Go prints a duration. */
export function durationText(nanos: bigint): string {
  if (nanos === 0n) return '0s'
  const sign = nanos < 0n ? '-' : ''
  const value = nanos < 0n ? -nanos : nanos
  if (value < 1_000n) return `${sign}${value}ns`
  if (value < 1_000_000n) return `${sign}${decimal(value, 1_000n)}µs`
  if (value < 1_000_000_000n) return `${sign}${decimal(value, 1_000_000n)}ms`
  const hours = value / 3_600_000_000_000n
  const minutes = (value / 60_000_000_000n) % 60n
  const seconds = decimal(value % 60_000_000_000n, 1_000_000_000n)
  const withMinutes = hours > 0n || minutes > 0n ? `${minutes}m` : ''
  return `${sign}${hours > 0n ? `${hours}h` : ''}${withMinutes}${seconds}s`
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = (value % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '')
  return `${value / unit}${fraction === '' ? '' : `.${fraction}`}`
}
