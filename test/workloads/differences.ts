import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { Entry } from './recording.ts'

const charactersMax = 300

/**
 * The differences between two recordings of a scenario, as readable lines; empty if they are equal.
 */
export function differencesBetween(expected: readonly Entry[], actual: readonly Entry[]): string[] {
  const lines: string[] = []
  for (const [title, [recorded, observed]] of groupsOf(expected, actual)) {
    const found = memberDifferences(recorded, observed)
    if (found.length > 0) lines.push(title, ...found.map((line) => `  ${line}`))
  }
  return lines
}

type Pair = [expected: Entry[], actual: Entry[]]

/** Groups of entries that are compared with each other: the same kind at the same read. */
function groupsOf(expected: readonly Entry[], actual: readonly Entry[]): Map<string, Pair> {
  const groups = new Map<string, Pair>()
  for (const [side, entries] of [expected, actual].entries()) {
    for (const entry of entries) {
      const title =
        'read' in entry
          ? `${entry.read}: ${entry.kind}`
          : 'answer' in entry
            ? `answer ${entry.answer}`
            : 'events'
      const pair = groups.get(title) ?? [[], []]
      groups.set(title, pair)
      pair[side === 0 ? 0 : 1].push(entry)
    }
  }
  return groups
}

function memberDifferences(expected: readonly Entry[], actual: readonly Entry[]): string[] {
  const plain = (entries: readonly Entry[]): JsonObject[] =>
    JSON.parse(JSON.stringify(entries)) as JsonObject[]
  const left = plain(expected)
  const right = plain(actual)
  const missing = left.filter((entry) => !right.some((other) => jsonEquals(entry, other)))
  const extra = right.filter((entry) => !left.some((other) => jsonEquals(entry, other)))
  const lines: string[] = []
  for (const entry of missing) {
    const index = closest(entry, extra)
    const [other] = index === -1 ? [] : extra.splice(index, 1)
    if (other === undefined) lines.push(`only real: ${shortened(contentOf(entry))}`)
    else
      lines.push(titleOf(entry), ...valueDifferences(entry, other, '').map((line) => `  ${line}`))
  }
  return [...lines, ...extra.map((entry) => `only ours: ${shortened(contentOf(entry))}`)]
}

function contentOf(entry: JsonObject): JsonValue {
  const { read: _read, kind: _kind, ...content } = entry
  return content
}

function titleOf(entry: JsonObject): string {
  const { object, event } = entry as {
    object?: { metadata?: { name?: string } }
    event?: { about: string; reason: string }
  }
  if (event !== undefined) return `${event.about} ${event.reason}`
  return object?.metadata?.name ?? 'content'
}

/**
 * The entry of the same name with the fewest differences. Objects of other names are not compared.
 */
function closest(entry: JsonObject, candidates: readonly JsonObject[]): number {
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (const [index, candidate] of candidates.entries()) {
    if (titleOf(candidate) !== titleOf(entry)) continue
    const count = valueDifferences(entry, candidate, '').length
    if (count < least) [best, least] = [index, count]
  }
  return best
}

/** The differences between two values, one line for each path. */
function valueDifferences(
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  path: string,
): string[] {
  if (expected !== undefined && actual !== undefined) {
    if (jsonEquals(expected, actual)) return []
    if (isJsonObject(expected) && isJsonObject(actual)) {
      const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort()
      return keys.flatMap((key) => {
        const [one, other] = [expected[key], actual[key]]
        if (one === undefined && other === undefined) return []
        return valueDifferences(one, other, `${path}.${key}`)
      })
    }
    if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
      return expected.flatMap((item, index) =>
        valueDifferences(item, actual[index], `${path}[${index}]`),
      )
    }
  }
  return [`${path}: real ${shortened(expected)}, ours ${shortened(actual)}`]
}

function shortened(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}...` : text
}
