import { hasFieldsSentEmpty } from '../../codec/index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

type Value = JsonValue | undefined

/**
 * Go's semantic equality: a missing list, an empty one and null are equal. An empty object differs
 * from a missing one, because `emptyDir: {}` has a meaning.
 */
export function semanticEquals(a: Value, b: Value): boolean {
  return equals(a, b, (value) => isNull(value) || (Array.isArray(value) && value.length === 0))
}

/**
 * Go's `reflect.DeepEqual`, which a few kinds use instead: a list or map that was sent empty is not
 * a missing one.
 */
export function strictlyEquals(sent: Value, stored: Value): boolean {
  return !hasSentEmpty(sent) && equals(sent, stored, isNull)
}

function hasSentEmpty(value: Value): boolean {
  if (Array.isArray(value)) return value.some(hasSentEmpty)
  if (!isJsonObject(value)) return false
  return hasFieldsSentEmpty(value) || Object.values(value).some(hasSentEmpty)
}

function equals(a: Value, b: Value, isNothing: (value: Value) => boolean): boolean {
  if (a === b) return true
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => equals(item, b[index], isNothing))
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  return (
    Object.keys(a).every((key) => equals(a[key], fieldOf(b, key), isNothing)) &&
    Object.keys(b).every((key) => Object.hasOwn(a, key) || isNothing(b[key]))
  )
}

const isNull = (value: Value): boolean => value === undefined || value === null

const fieldOf = (object: JsonObject, key: string): Value =>
  Object.hasOwn(object, key) ? object[key] : undefined
