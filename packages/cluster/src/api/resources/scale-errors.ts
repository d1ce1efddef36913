import {
  fieldError,
  isJsonObject,
  type FieldError,
  type JsonObject,
  type JsonValue,
} from 'setpoint/schema'
import { goPlain } from '../../patch/index.ts'
import type { ScalePaths } from './served-resource.ts'

const int32Max = 2 ** 31 - 1

/** The errors of the fields that the scale subresource of a custom resource reads. */
export function scaleErrors(
  object: JsonObject,
  paths: ScalePaths,
  subresource: string,
): FieldError[] {
  return [
    ...(subresource === 'status' ? [] : replicasErrors(object, paths.specReplicas)),
    ...replicasErrors(object, paths.statusReplicas),
    ...(paths.labelSelector === undefined ? [] : selectorErrors(object, paths.labelSelector)),
  ]
}

function selectorErrors(object: JsonObject, path: readonly string[]): FieldError[] {
  const field = `.${path.join('.')}`
  const { value, problem } = valueAt(object, path)
  const detail =
    problem ?? (typeof value === 'string' ? undefined : mistyped(path, value, 'string'))
  if (detail === undefined || value === undefined) return []
  return [fieldError.invalid(field, '', detail)]
}

function replicasErrors(object: JsonObject, path: readonly string[]): FieldError[] {
  const field = `.${path.join('.')}`
  const { value, problem } = valueAt(object, path)
  if (value === undefined) return []
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  const isInteger = problem === undefined && isNumber && goType(value) === 'int64'
  if (!isInteger) {
    return [fieldError.invalid(field, 0, problem ?? mistyped(path, value, 'int64'))]
  }
  if (value < 0) return [fieldError.invalid(field, value, 'should be a non-negative integer')]
  if (value <= int32Max) return []
  return [fieldError.invalid(field, value, `should be less than or equal to ${int32Max}`)]
}

/** The value at a path; undefined if it or an object above it is missing or null. */
function valueAt(
  object: JsonObject,
  path: readonly string[],
): { readonly value: JsonValue | undefined; readonly problem?: string } {
  let value: JsonValue | undefined = object
  for (const [index, step] of path.entries()) {
    if (value === null || value === undefined) return { value: undefined }
    if (!isJsonObject(value)) {
      const problem = mistyped(path.slice(0, index + 1), value, 'map[string]interface{}')
      return { value, problem }
    }
    value = Object.hasOwn(value, step) ? value[step] : undefined
  }
  return { value }
}

function mistyped(path: readonly string[], value: JsonValue | undefined, expected: string): string {
  return `.${path.join('.')} accessor error: ${printed(value)} is of the type ${goType(value)}, expected ${expected}`
}

function printed(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>'
  return goPlain(value)
}

function goType(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'object') return 'map[string]interface {}'
  // A bigint is an integer that a double cannot hold.
  if (typeof value === 'bigint') return 'int64'
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'int64' : 'float64'
}
