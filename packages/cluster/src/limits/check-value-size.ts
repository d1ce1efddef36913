import type { JsonValue } from 'setpoint/schema'
import { requestTooLarge } from '../status/index.ts'
import { tooManyValues, valuesMax } from './check-shape.ts'

/** Four times of what etcd stores. */
const charactersMax = 6 * 1024 * 1024

/** Whether the JSON of a value certainly has more characters. It does not recurse. */
export function isLongerThan(value: JsonValue, characters: number): boolean {
  let left = characters
  const pending: JsonValue[] = [value]
  for (let next = pending.pop(); next !== undefined && left >= 0; next = pending.pop()) {
    left -= typeof next === 'string' ? next.length + 2 : 1
    if (Array.isArray(next)) for (const item of next) pending.push(item)
    else if (typeof next === 'object' && next !== null) {
      for (const key in next) {
        left -= key.length + 3
        pending.push(next[key] as JsonValue)
      }
    }
  }
  return left < 0
}

/**
 * Refuses a value whose JSON would be much longer than what can be stored: defaults and YAML
 * aliases share parts of a value, so that it is small in memory only. It does not recurse.
 */
export function checkValueSize(value: JsonValue): void {
  let left = charactersMax
  let values = 0
  const pending: JsonValue[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    left -= 1
    if (++values > valuesMax) throw tooManyValues(valuesMax)
    if (typeof next === 'string') left -= next.length
    else if (Array.isArray(next)) {
      left -= next.length
      for (const item of next) pending.push(item)
    } else if (typeof next === 'object' && next !== null) {
      for (const key of Object.keys(next)) {
        left -= key.length + 4
        pending.push(next[key] as JsonValue)
      }
    }
    if (left < 0) {
      throw requestTooLarge(
        `with its defaults, this object is longer than ${charactersMax} characters`,
      )
    }
  }
}
