import { type JsonObject, type JsonValue } from 'setpoint/schema'
import { ApiError, badRequest, unexpectedError } from '../status/index.ts'
import { rejectedPatch } from './patch-error.ts'

/** Go's `%v` of a decoded value, which messages use to quote parts of the patch. */
export function goPlain(value: JsonValue): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goPlain).join(' ')}]`
  if (typeof value !== 'object') return String(value)
  const keys = Object.keys(value).sort()
  return `map[${keys.map((key) => `${key}:${goPlain(value[key] ?? null)}`).join(' ')}]`
}

/** Go's name for the type of a decoded value. */
function goTypeName(value: JsonValue): string {
  if (value === null) return '%!s(<nil>)'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'object') return 'map[string]interface {}'
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64'
}

/** An unknown directive. */
export function unknownDirective(directive: JsonValue, map: JsonObject): ApiError {
  let text: string
  if (directive === null) text = '%!s(<nil>)'
  else if (typeof directive === 'string' || typeof directive === 'object') text = goPlain(directive)
  else text = `%!s(${goTypeName(directive)}=${String(directive)})`
  return unexpectedError(`unknown patch type: ${text} in map: ${goPlain(map)}`)
}

/** An item of a keyed list without its key. */
export function missingMergeKey(map: JsonObject, key: string): ApiError {
  return unexpectedError(`map: ${goPlain(map)} does not contain declared merge key: ${key}`)
}

/** A value of another type than the schema requires. */
export function wrongType(expected: string, actual: JsonValue): ApiError {
  return unexpectedError(`expected a ${expected}, but received a ${goTypeName(actual)}`)
}

/** Directives with invalid content. */
export const malformed = {
  primitiveList: () => badRequest('invalid patch format of primitive list'),
  retainKeys: () => badRequest('invalid patch format of retainKeys'),
  elementOrder: () => badRequest('invalid patch format of setElementOrder list'),
} as const

/** The Go type of all items of the lists; throws if they differ or are lists themselves. */
export function commonItemType(...lists: readonly JsonValue[][]): string {
  let common: string | undefined
  for (const item of lists.flat(1)) {
    const type = goTypeName(item)
    if (common === undefined && Array.isArray(item)) throw rejectedPatch()
    if (common !== undefined && common !== type) {
      throw unexpectedError(`list element types are not identical: ${goPlain([...lists])}`)
    }
    common = type
  }
  if (common === undefined) throw unexpectedError('no elements in any of the given slices')
  return common
}

/** A list of maps without a merge key. */
export function noMergeKeyDeclared(kind: string): ApiError {
  return unexpectedError(`cannot merge lists without merge key for ${kind}`)
}

/** Converts an error about a field that the schema does not have. */
export function schemaProblem(error: unknown): ApiError {
  return error instanceof ApiError ? error : unexpectedError((error as Error).message)
}

/** A `$setElementOrder` that the patch list does not follow. */
export function orderMismatch(patch: JsonValue[], order: JsonValue[]): ApiError {
  return unexpectedError(
    `The order in patch list:\n${goPlain(patch)}\n doesn't match $setElementOrder list:\n${goPlain(order)}\n`,
  )
}

/** An item that is not a map. */
export function itemNotMap(index: number): ApiError {
  return unexpectedError(`value for key ${index} is not a map`)
}
