import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { wrongShape } from './patch-error.ts'

/** One operation as it was sent; missing fields are reported when it is applied. */
export interface PatchOperation {
  readonly op: string
  readonly path: string | undefined
  readonly from: string | undefined
  readonly value: JsonValue | undefined
}

/** Reads a JSON patch; throws a 400 error if it is not a list of operations. */
export function readOperations(patch: JsonValue): PatchOperation[] {
  if (patch === null) return []
  if (!Array.isArray(patch)) throw wrongShape(patch, 'value of type []handlers.jsonPatchOp')
  return patch.map(readOperation)
}

function readOperation(operation: JsonValue): PatchOperation {
  if (operation === null) return { op: '', path: undefined, from: undefined, value: undefined }
  if (!isJsonObject(operation)) {
    throw wrongShape(operation, 'value of type handlers.jsonPatchOp')
  }
  return {
    op: textOf(operation, 'op') ?? '',
    path: textOf(operation, 'path'),
    from: textOf(operation, 'from'),
    value: Object.hasOwn(operation, 'value') ? operation['value'] : undefined,
  }
}

function textOf(operation: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(operation, name) ? operation[name] : undefined
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw wrongShape(value, `struct field jsonPatchOp.${name} of type string`)
}
