import { isDeepStrictEqual } from 'node:util'

/** One path at which the answers of two servers differ. */
export interface Difference {
  readonly path: string
  readonly real: unknown
  readonly embedded: unknown
}

/** The differences of two values, one for each path. */
export function differencesOf(real: unknown, embedded: unknown): Difference[] {
  return differencesAt('', plain(real), plain(embedded))
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function differencesAt(path: string, real: unknown, embedded: unknown): Difference[] {
  if (isDeepStrictEqual(real, embedded)) return []
  const isPair = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (isPair(real) && isPair(embedded) && Array.isArray(real) === Array.isArray(embedded)) {
    const keys = new Set([...Object.keys(real), ...Object.keys(embedded)])
    return [...keys].flatMap((key) =>
      differencesAt(`${path}.${key}`, ownValue(real, key), ownValue(embedded, key)),
    )
  }
  return [{ path, real, embedded }]
}

function ownValue(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}

const charactersMax = 400

/** A difference as text, for the terminal. */
export function shownDifference({ path, real, embedded }: Difference): string {
  const texts = [real, embedded].map((value) => String(JSON.stringify(value)))
  // Long texts often begin with the same object.
  const [one = '', other = ''] = texts
  const same = [...one].findIndex((character, index) => character !== other[index])
  const start = same > charactersMax / 2 ? same - charactersMax / 2 : 0
  const shown = texts.map((text) => text.slice(start, start + charactersMax))
  return `${path}\n    real      ${shown[0] ?? ''}\n    embedded  ${shown[1] ?? ''}`
}
