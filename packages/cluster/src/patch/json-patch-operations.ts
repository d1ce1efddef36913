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
export function readOperations(patch: JsonValue, isValidated = true): PatchOperation[] {
  if (patch === null) return []
  if (!Array.isArray(patch)) {
    const type = isValidated ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch'
    throw wrongShape(patch, `value of type ${type}`, isValidated)
  }
  return patch.map((operation) => readOperation(operation, isValidated))
}

function readOperation(operation: JsonValue, isValidated: boolean): PatchOperation {
  if (operation === null) return { op: '', path: undefined, from: undefined, value: undefined }
  if (!isJsonObject(operation)) {
    const type = isValidated ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation'
    throw wrongShape(operation, `value of type ${type}`, isValidated)
  }
  return {
    op: textOf(operation, 'op', isValidated) ?? '',
    path: textOf(operation, 'path', isValidated),
    from: textOf(operation, 'from', isValidated),
    value: Object.hasOwn(operation, 'value') ? operation['value'] : undefined,
  }
}

function textOf(operation: JsonObject, name: string, isValidated: boolean): string | undefined {
  const value = Object.hasOwn(operation, name) ? operation[name] : undefined
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  if (!isValidated) return undefined
  throw wrongShape(value, `struct field jsonPatchOp.${name} of type string`)
}
