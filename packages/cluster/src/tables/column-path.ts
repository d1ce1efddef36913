import { evaluateJsonPath, parseJsonPath, type JsonValue } from 'setpoint/schema'

/** Every value at a column's path, in order. */
type ColumnPath = (value: JsonValue) => Iterable<JsonValue>

const slice = /\[(-?\d*):(-?\d*)\]/

/**
 * Parses the path of a column. In addition to the paths of definitions it supports slices:
 * published definitions show their latest condition by `.status.conditions[-1:].type`. Other paths
 * have no values.
 */
export function readColumnPath(text: string): ColumnPath {
  const match = slice.exec(text)
  if (match === null) return plainPath(text)
  const [all, start = '', end = ''] = match
  const before = plainPath(text.slice(0, match.index))
  const rest = text.slice(match.index + all.length)
  const after = rest === '' ? undefined : readColumnPath(rest)
  return function* (value) {
    for (const list of before(value)) {
      for (const item of itemsBetween(list, start, end)) {
        if (after === undefined) yield item
        else yield* after(item)
      }
    }
  }
}

function plainPath(text: string): ColumnPath {
  const { steps } = parseJsonPath(text)
  return steps === undefined ? () => [] : (value) => evaluateJsonPath(steps, value)
}

/** Bounds outside of the list select nothing: a real server leaves such a cell empty. */
function itemsBetween(list: JsonValue, start: string, end: string): JsonValue[] {
  if (!Array.isArray(list)) return []
  const bound = (text: string, otherwise: number): number => {
    const index = text === '' ? otherwise : Number(text)
    return index < 0 ? index + list.length : index
  }
  const from = bound(start, 0)
  const to = bound(end, list.length)
  return from < 0 || to > list.length || from >= to ? [] : list.slice(from, to)
}
