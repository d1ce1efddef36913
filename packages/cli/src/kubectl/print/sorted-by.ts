import type { JsonValue } from 'setpoint/schema'
import type { ApiObject } from '../api-resources.ts'
import { followSteps } from './json-path-steps.ts'
import { readRelaxedPath } from './json-path-template.ts'

/** Objects sorted by the value of a path; unsorted without a path. */
export function sortedBy(path: string | undefined, objects: readonly ApiObject[]): ApiObject[] {
  if (path === undefined) return [...objects]
  const steps = readRelaxedPath(path)
  const keyOf = (object: ApiObject): JsonValue | undefined =>
    followSteps(steps, object as JsonValue)[0]
  return [...objects].sort((a, b) => compare(keyOf(a), keyOf(b)))
}

function compare(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [a, b].map((value) => (value === undefined ? '' : JSON.stringify(value)))
  return (left ?? '') < (right ?? '') ? -1 : left === right ? 0 : 1
}
