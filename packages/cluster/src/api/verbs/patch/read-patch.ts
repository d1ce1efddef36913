import { checkShape } from '../../../limits/index.ts'
import { goQuote, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { compareKeys, encodeJson, parseJson } from '../../../codec/index.ts'
import { applyMergePatch, applyStrategicMergePatch, patchDocument } from '../../../patch/index.ts'
import { badRequest } from '../../../status/index.ts'
import { isUnreadable, notAnObject } from '../../body.ts'
import { jsonKind } from '../../json-kind.ts'
import type { FieldValidation } from '../../options/write-options.ts'
import { patchRefusal } from './patch-refusal.ts'

/** A parsed patch that needs only the object (not an apply). */
export interface ReadPatch {
  readonly type: 'json' | 'merge' | 'strategic'
  readonly value: JsonValue
  /** Without validation of fields, the patch is not decoded before it is applied. */
  readonly isValidated: boolean
  /** Warnings about its text: duplicate fields, or fields that no operation has. */
  readonly problems: readonly string[]
}

/** The nested objects and lists that a merge patch touches, by field name or index. */
interface Touched {
  readonly inner: ReadonlyMap<string, Touched>
}

/** Parses a patch; 400 when it is not JSON. */
export function readPatch(
  text: string,
  type: ReadPatch['type'],
  validation: FieldValidation,
): ReadPatch {
  const isValidated = validation !== 'Ignore'
  try {
    const { value, duplicateFields } = parseJson(text)
    checkShape(value)
    const duplicates = duplicateFields.map((field) => `duplicate field ${goQuote(field)}`)
    if (type !== 'json') {
      return { type, value, isValidated, problems: duplicates }
    }
    const problems = [...duplicates, ...unknownInOperations(value)].map(
      (problem) => `json patch ${problem}`,
    )
    return { type, value, isValidated, problems }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    if (type !== 'strategic' && isValidated) {
      throw badRequest(`error decoding patch: ${error.message}`)
    }
    throw badRequest(type === 'merge' ? 'Invalid JSON Patch' : error.message)
  }
}

/** Applies a patch; strategic ones follow the OpenAPI definition of the kind. */
export function applyPatch(
  target: JsonObject,
  { type, value, isValidated }: ReadPatch,
  definition: string | undefined,
): JsonObject {
  if (type === 'json') {
    const patched = patchDocument(target, value, isValidated)
    if (Array.isArray(patched)) throw patchRefusal(encodeJson(patched), notAnObject(patched))
    return patched
  }
  if (type === 'merge' || definition === undefined) {
    if (Array.isArray(value) && !isValidated)
      throw patchRefusal(encodeJson(value), notAnObject(value))
    return sortTouched(applyMergePatch(target, value, isValidated), touchedByMerge(value))
  }
  if (value === null) return target
  if (isJsonObject(value)) return applyStrategicMergePatch(target, value, definition)
  throw badRequest(
    `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
  )
}

const operationFields: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value'])

function unknownInOperations(patch: JsonValue): string[] {
  if (!Array.isArray(patch)) return []
  return patch.flatMap((operation, index) =>
    Object.keys(isJsonObject(operation) ? operation : {})
      .filter((name) => !operationFields.has(name))
      .map((name) => `unknown field ${goQuote(`[${index}].${name}`)}`),
  )
}

function touchedByMerge(patch: JsonValue): Touched {
  const inner = new Map<string, Touched>()
  const isContainer = isJsonObject(patch) || Array.isArray(patch)
  for (const [name, value] of Object.entries(isContainer ? patch : {})) {
    if (typeof value === 'object' && value !== null) inner.set(name, touchedByMerge(value))
  }
  return { inner }
}

/** The object in the order of Go's patch library: keys are sorted in objects that a patch touches. */
function sortTouched(object: JsonObject, { inner }: Touched): JsonObject {
  const sorted: JsonObject = {}
  for (const key of Object.keys(object).sort(compareKeys)) {
    sorted[key] = sortValue(object[key] ?? null, inner.get(key))
  }
  return sorted
}

function sortValue(value: JsonValue, touched: Touched | undefined): JsonValue {
  if (touched === undefined) return value
  if (isJsonObject(value)) return sortTouched(value, touched)
  if (!Array.isArray(value)) return value
  return value.map((item, index) => sortValue(item, touched.inner.get(String(index))))
}
