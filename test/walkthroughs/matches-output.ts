/**
 * Values that differ between runs: in expected output they match any value of their kind.
 */
const varying: readonly (readonly [found: RegExp, accepted: string])[] = [
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/, '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'],
  [
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/,
    '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
  ],
  [
    /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000/,
    '[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d \\+0000',
  ],
  [/\b\d\d:\d\d:\d\d(?:\.\d+)?/, '\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}:\d+/, '\\d{1,3}(?:\\.\\d{1,3}){3}:\\d+'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/, '\\d{1,3}(?:\\.\\d{1,3}){3}'],
  [/:3\d{4}\/(?=TCP|UDP)/, ':3\\d{4}/'],
  [/(?<=resourceVersion: ")\d+/, '\\d+'],
  [/(?<=Resource Version: +)\d+/, '\\d+'],
  [/\b(?:\d+(?:\.\d+)?(?:ms|[smhdy]))+\b/, '(?:\\d+(?:\\.\\d+)?(?:ms|[smhdy]))+'],
  // Names that a server completes have no vowels: the hash of a template has a digit, the rest has
  // five characters.
  [/-(?=[b-df-hj-np-tv-xz]*\d)[b-df-hj-np-tv-xz\d]{6,10}\b/, '-[b-df-hj-np-tv-xz\\d]{6,10}'],
  [/-[b-df-hj-np-tv-xz\d]{5}\b(?![-.\w])/, '-[b-df-hj-np-tv-xz\\d]{5}'],
  // kubectl prints this since 1.34.
  [/(?<= deleted) from \S+ namespace$/, '(?: from \\S+ namespace)?'],
  [/\.\.\./, '.*'],
  [/ +/, '\\s+'],
]

const anything = new RegExp(varying.map(([found]) => `(${found.source})`).join('|'), 'g')

/** The regular expression of a line of expected output. */
export function lineExpression(expected: string): RegExp {
  let source = ''
  let end = 0
  const line = expected.trim()
  for (const match of line.matchAll(anything)) {
    source += escaped(line.slice(end, match.index))
    const index = match.slice(1).findIndex((group: string | undefined) => group !== undefined)
    source += varying[index]?.[1] ?? ''
    end = match.index + match[0].length
  }
  return new RegExp(`^\\s*${source}${escaped(line.slice(end))}\\s*$`)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Output as lines, without colours and without empty lines at the beginning and the end. */
export function outputLines(output: string): string[] {
  // eslint forbids control characters in regular expressions.
  const plain = output.replaceAll(new RegExp('\\u001b\\[[0-9;?]*[A-Za-z]', 'g'), '')
  const lines = plain.replaceAll('\r\n', '\n').split('\n')
  while (lines.at(-1)?.trim() === '') lines.pop()
  while (lines[0]?.trim() === '') lines.shift()
  return lines
}

/** Whether output matches a document; `...` alone on a line matches any lines. */
export function matchesOutput(expected: readonly string[], output: string): boolean {
  return matchesLines(expected, outputLines(output))
}

function matchesLines(expected: readonly string[], lines: readonly string[]): boolean {
  // The prefixes of the output that the expected lines so far can match.
  let reached = new Set([0])
  for (const each of expected) {
    const next = new Set<number>()
    if (each.trim() === '...') {
      const first = Math.min(...reached)
      for (let at = first; at <= lines.length; at += 1) next.add(at)
    } else {
      const expression = lineExpression(each)
      for (const at of reached) {
        if (at < lines.length && expression.test(lines[at] ?? '')) next.add(at + 1)
      }
    }
    if (next.size === 0) return false
    reached = next
  }
  return reached.has(lines.length)
}

/**
 * Finds lines in the output of a program that keeps running, in their order and with anything
 * between them; gives the number of lines up to the last one, or `undefined` while they are not all
 * there.
 */
export function findLines(
  expected: readonly string[],
  lines: readonly string[],
  from = 0,
): number | undefined {
  let at = from
  for (const each of expected) {
    if (each.trim() === '...' || each.trim() === '') continue
    const expression = lineExpression(each)
    while (at < lines.length && !expression.test(lines[at] ?? '')) at += 1
    if (at >= lines.length) return undefined
    at += 1
  }
  return at
}
