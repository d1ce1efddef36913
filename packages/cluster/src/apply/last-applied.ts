import { goJson, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { assertType } from './types/check-type.ts'
import { compareValues } from './types/compare-values.ts'
import { differenceOf, type FieldSet } from './fields/field-set.ts'
import { fieldsOfValue } from './fields/fields-of-value.ts'
import type { ApplySchema } from './types/apply-type.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
const maxAnnotationBytes = 256 * 1024

function annotationsOf(object: JsonObject): JsonObject {
  const metadata = object['metadata']
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined
  return isJsonObject(annotations) ? annotations : {}
}

function lastAppliedOf(object: JsonObject): string {
  const annotations = annotationsOf(object)
  const value = Object.hasOwn(annotations, annotation) ? annotations[annotation] : undefined
  return typeof value === 'string' ? value : ''
}

/**
 * The fields of an earlier client-side `kubectl apply` that still have its values: `kubectl apply
 * --server-side` can take them from any owner. Undefined when there are none.
 */
export function fieldsOfLastApplied(
  live: JsonObject,
  schema: ApplySchema,
  apiVersion: string,
): FieldSet | undefined {
  const text = lastAppliedOf(live)
  if (text === '') return undefined
  try {
    const last = JSON.parse(text) as JsonValue
    if (!isJsonObject(last) || last['apiVersion'] !== apiVersion) return undefined
    assertType(live, schema.type, { allowDuplicates: false })
    assertType(last, schema.type, { allowDuplicates: false })
    const { modified, added, removed } = compareValues(last, live, schema.type)
    const fields = fieldsOfValue(last, schema.type)
    return differenceOf(differenceOf(differenceOf(fields, modified), added), removed)
  } catch {
    return undefined
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/**
 * Updates the annotation of client-side apply, so that `kubectl apply` can be used with and without
 * `--server-side` on the same object.
 */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  if (lastAppliedOf(object) === '') return object
  const annotations = annotationsOf(object)
  const { [annotation]: _previous, ...others } = annotations
  const text = `${goJson(withoutAnnotation(config))}\n`
  const next = { ...annotations, [annotation]: text }
  const size = Object.entries(next).reduce(
    (sum, [key, value]) => sum + byteLength(key) + byteLength(String(value)),
    0,
  )
  const metadata = object['metadata'] as JsonObject
  const kept = size > maxAnnotationBytes ? others : next
  return { ...object, metadata: { ...metadata, annotations: kept } }
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const metadata = config['metadata']
  if (!isJsonObject(metadata)) return config
  const { annotations, ...rest } = metadata
  if (!isJsonObject(annotations)) return config
  const { [annotation]: _own, ...others } = annotations
  if (Object.keys(others).length === 0) return { ...config, metadata: rest }
  return { ...config, metadata: { ...rest, annotations: others } }
}
