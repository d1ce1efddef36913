/** Lists of indexes in Jobs: `1,3-5,7`. */

type Interval = readonly [first: number, last: number]

/** One number or a range; a string is an error. */
function parseInterval(text: string, completions: number): Interval | string {
  const parts = text.split('-')
  if (parts.length > 2) {
    return `the fragment "${text}" violates the requirement that an index interval can have at most two parts separated by '-'`
  }
  const numbers: number[] = []
  for (const part of parts) {
    if (!/^[+-]?[0-9]+$/.test(part)) return `cannot convert string to integer for index: "${part}"`
    if (Number(part) >= completions) return `too large index: "${part}"`
    numbers.push(Number(part))
  }
  const [first = 0, last = first] = numbers
  if (numbers.length === 2 && first >= last) {
    return `non-increasing order, previous: ${first}, current: ${last}`
  }
  return [first, last]
}

/** The number of indexes in the list, or an error. */
export function indexCount(text: string, completions: number): number | string {
  if (text === '') return 0
  let previous: number | undefined
  let total = 0
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions)
    if (typeof interval === 'string') return interval
    const [first, last] = interval
    if (previous !== undefined && previous >= first) {
      return `non-increasing order, previous: ${previous}, current: ${first}`
    }
    total += last - first + 1
    previous = last
  }
  return total
}

/** The first index that is in both lists; invalid parts are skipped. */
export function commonIndex(a: string, b: string, completions: number): number | undefined {
  const intervals = (text: string) =>
    text === ''
      ? []
      : text
          .split(',')
          .map((part) => parseInterval(part, completions))
          .filter((part) => typeof part !== 'string')
  for (const [aFirst, aLast] of intervals(a)) {
    for (const [bFirst, bLast] of intervals(b)) {
      if (aFirst <= bLast && bFirst <= aLast) return Math.max(aFirst, bFirst)
    }
  }
  return undefined
}
