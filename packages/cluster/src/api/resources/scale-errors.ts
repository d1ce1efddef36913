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
export function scaleErrors(object: JsonObject, paths: ScalePaths): FieldError[] {
  return [
    ...replicasErrors(object, paths.specReplicas),
    ...replicasErrors(object, paths.statusReplicas),
  ]
}

function replicasErrors(object: JsonObject, path: readonly string[]): FieldError[] {
  const field = `.${path.join('.')}`
  let value: JsonValue | undefined = object
  for (const step of path) {
    if (!isJsonObject(value)) {
      return [accessorError(field, value, 'map[string]interface{}')]
    }
    value = Object.hasOwn(value, step) ? value[step] : undefined
    if (value === undefined) return []
  }
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return [accessorError(field, value, 'int64')]
  }
  if (value < 0) return [fieldError.invalid(field, value, 'should be a non-negative integer')]
  if (value <= int32Max) return []
  return [fieldError.invalid(field, value, `should be less than or equal to ${int32Max}`)]
}

function accessorError(field: string, value: JsonValue | undefined, expected: string): FieldError {
  const detail = `${field} accessor error: ${printed(value)} is of the type ${goType(value)}, expected ${expected}`
  return fieldError.invalid(field, 0, detail)
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
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64'
}
