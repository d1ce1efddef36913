/** The formats `date`, `date-time` and `duration`, as lenient as Kubernetes. */

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A valid calendar date. */
export function isDate(text: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text)
  if (match === null) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  if (month === 2 && day === 29 && !isLeap) return false
  return day >= 1 && day <= (daysInMonth[month - 1] ?? 0)
}

/**
 * A date, `t`, and a time with zone; seconds end at 59, and offsets are not checked, as on a
 * server.
 */
export function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t')
  if (time === undefined || !isDate(date)) return false
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u.exec(
    time,
  )
  return (
    match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59
  )
}

const goUnits: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

const longUnits = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk']
const unitPrefixes = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week']

/** A Go duration such as `1h30m`, or words such as `3 days` anywhere in the text. */
export function isDuration(text: string): boolean {
  return isGoDuration(text) || hasDurationWords(text)
}

function isGoDuration(text: string): boolean {
  if (/^[+-]?0$/.test(text)) return true
  if (!/^[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text))
    return false
  let nanoseconds = 0n
  for (const [, whole = '', unit = ''] of text.matchAll(
    /([0-9]*)(?:\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    nanoseconds += BigInt(whole === '' ? '0' : whole) * (goUnits[unit] ?? 0n)
  }
  return nanoseconds <= 2n ** 63n - (text.startsWith('-') ? 0n : 1n)
}

function hasDurationWords(text: string): boolean {
  let isFound = false
  for (const [, digits = '', word = ''] of text.matchAll(
    /(?<![0-9])([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g,
  )) {
    if (BigInt(digits) >= 2n ** 63n) return false
    const unit = word.toLowerCase()
    isFound ||= longUnits.includes(unit) || unitPrefixes.some((prefix) => unit.startsWith(prefix))
  }
  return isFound
}
