import { isJsonObject, type JsonValue } from 'setpoint/schema'
import { badRequest, requestTooLarge } from '../status/index.ts'

/**
 * The levels of nesting that every function of this server handles without running out of stack. A
 * real server accepts 10,000.
 */
export const depthMax = 500

/**
 * The values of an object: fields, items and all that they contain. Every step of a request takes
 * time for each of them. An object of 1.5 MiB, which is the most that is stored, rarely has a tenth.
 */
export const valuesMax = 250_000

/** An apply takes longer for each value: it merges them, and compares them with all owners. */
export const appliedValuesMax = 100_000

/** Refuses a value that nests too deeply or has too many parts, before other functions visit it. */
export function checkShape(value: JsonValue, most = valuesMax): void {
  visit(value, depthMax, { left: most, most })
}

function visit(value: JsonValue, levels: number, count: { left: number; most: number }): void {
  if (levels === 0) throw tooDeep()
  count.left -= 1
  if (count.left < 0) throw tooManyValues(count.most)
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) visit(item, inner(item, levels), count)
  } else {
    for (const key in value) {
      const item = value[key] as JsonValue
      visit(item, inner(item, levels), count)
    }
  }
}

/** Only lists and objects are levels. */
function inner(item: JsonValue, levels: number): number {
  return Array.isArray(item) || isJsonObject(item) ? levels - 1 : levels
}

/** 400 for a value that nests too deeply. */
export function tooDeep(): Error {
  return badRequest(
    `the body of the request nests more than ${depthMax} levels deep, which is the limit of the embedded server`,
  )
}

/** 413 for a value with too many parts. */
export function tooManyValues(most: number): Error {
  return requestTooLarge(
    `the object has more than ${most} fields and items, which is the limit of the embedded server`,
  )
}
