/**
 * The rules of `metadata` for objects whose names are not restricted: objects embedded in others.
 * They are not part of any schema.
 */
import { invalid, invalidPrinted, tooLong, type FieldError } from './field-error.ts'
import { byteLength, goJson } from './go/go-print.ts'
import { isJsonObject, type JsonObject } from './json-value.ts'
import {
  dnsLabelProblems,
  labelValueProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
} from './name-rules.ts'
import type { JsonValue } from './structural-schema.ts'

/** The limit of all annotations of one object together, keys and values. */
const annotationBytesMax = 262_144

/** Go's types of the fields of ObjectMeta, for the messages of the decoder. */
const goTypes: Readonly<Record<string, string>> = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  selfLink: 'string',
  uid: 'types.UID',
  resourceVersion: 'string',
  generation: 'int64',
  deletionGracePeriodSeconds: 'int64',
  labels: 'map[string]string',
  annotations: 'map[string]string',
  finalizers: '[]string',
  ownerReferences: '[]v1.OwnerReference',
}

/** Checks the metadata of an embedded object; a missing name is valid there. */
export function objectMetaProblems(value: JsonValue, path: string): FieldError[] {
  if (value === null) return []
  if (!isJsonObject(value)) {
    const found = jsonTypeName(value)
    return [
      invalid(path, value, `json: cannot unmarshal ${found} into Go value of type v1.ObjectMeta`),
    ]
  }
  for (const [key, goType] of Object.entries(goTypes)) {
    const problem = decodeProblem(key, value[key], goType)
    if (problem !== undefined) return [invalid(path, value, problem)]
  }
  return [...nameProblems(value, path), ...metadataProblems(value, path)]
}

function jsonTypeName(value: JsonValue): string {
  if (typeof value === 'boolean') return 'bool'
  return Array.isArray(value) ? 'array' : typeof value
}

function decodeProblem(
  key: string,
  value: JsonValue | undefined,
  goType: string,
): string | undefined {
  if (value === undefined || value === null) return undefined
  const fail = (found: JsonValue, expectedType: string) =>
    `json: cannot unmarshal ${jsonTypeName(found)} into Go struct field ObjectMeta.${key} of type ${expectedType}`
  if (goType === 'int64') return typeof value === 'number' ? undefined : fail(value, goType)
  if (goType.startsWith('map')) {
    if (!isJsonObject(value)) return fail(value, goType)
    const wrong = Object.values(value).find((item) => typeof item !== 'string' && item !== null)
    return wrong === undefined ? undefined : fail(wrong, 'string')
  }
  if (!goType.startsWith('[]')) return typeof value === 'string' ? undefined : fail(value, goType)
  if (!Array.isArray(value)) return fail(value, goType)
  const isItem =
    goType === '[]string' ? (item: JsonValue) => typeof item === 'string' : isJsonObject
  const wrong = value.find((item) => !isItem(item))
  return wrong === undefined ? undefined : fail(wrong, goType.slice(2))
}

function nameProblems(meta: JsonObject, path: string): FieldError[] {
  const { generateName = '', name = '', namespace = '' } = meta as Record<string, string>
  return [
    ...pathSegmentProblems(generateName, true).map((text) =>
      invalid(`${path}.generateName`, generateName, text),
    ),
    ...pathSegmentProblems(name).map((text) => invalid(`${path}.name`, name, text)),
    ...(namespace === '' ? [] : dnsLabelProblems(namespace)).map((text) =>
      invalid(`${path}.namespace`, namespace, text),
    ),
  ]
}

/** The rules for the metadata of every object, embedded or not, except its names. */
export function metadataProblems(meta: JsonObject, path: string): FieldError[] {
  const { generation = 0, finalizers = [] } = meta as { generation?: number; finalizers?: string[] }
  const errors: FieldError[] = []
  if (generation < 0) {
    errors.push(invalid(`${path}.generation`, generation, 'must be greater than or equal to 0'))
  }
  errors.push(...labelProblems(meta, `${path}.labels`))
  errors.push(...annotationProblems(meta, `${path}.annotations`))
  errors.push(...ownerProblems(meta, `${path}.ownerReferences`))
  const field = `${path}.finalizers`
  for (const finalizer of finalizers) {
    errors.push(...qualifiedNameProblems(finalizer).map((text) => invalid(field, finalizer, text)))
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(
      invalid(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'),
    )
  }
  return errors
}

function labelProblems(meta: JsonObject, field: string): FieldError[] {
  const labels = (meta['labels'] ?? {}) as Record<string, string | null>
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((text) => invalid(field, key, text)),
    ...labelValueProblems(value ?? '').map((text) => invalid(field, value, text)),
  ])
}

function annotationProblems(meta: JsonObject, field: string): FieldError[] {
  const annotations = Object.entries((meta['annotations'] ?? {}) as Record<string, string | null>)
  const errors = annotations.flatMap(([key]) =>
    qualifiedNameProblems(key.toLowerCase()).map((text) => invalid(field, key, text)),
  )
  const bytes = annotations.reduce((sum, [key, value]) => sum + byteLength(key + (value ?? '')), 0)
  return bytes > annotationBytesMax ? [...errors, tooLong(field, annotationBytesMax)] : errors
}

function ownerProblems(meta: JsonObject, field: string): FieldError[] {
  const owners = (meta['ownerReferences'] ?? []) as Record<string, JsonValue>[]
  const errors: FieldError[] = []
  let controller: string | undefined
  for (const owner of owners) {
    const { apiVersion = '', kind = '', name = '', uid = '' } = owner as Record<string, string>
    if (apiVersion === '' || apiVersion.endsWith('/')) {
      errors.push(invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty'))
    }
    for (const [key, text] of Object.entries({ kind, name, uid })) {
      if (text === '') errors.push(invalid(`${field}.${key}`, text, 'must not be empty'))
    }
    if (apiVersion === 'v1' && kind === 'Event') {
      const detail = '/v1, Kind=Event is disallowed from being an owner'
      errors.push(invalidPrinted(field, printOwner(owner), detail))
    }
    if (owner['controller'] !== true) continue
    const reference = `${kind}/${name}`
    if (controller === undefined) controller = reference
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${reference}`
      errors.push(invalidPrinted(field, `[${owners.map(printOwner).join(',')}]`, detail))
    }
  }
  return errors
}

/** An owner reference in the order of Go's struct. */
function printOwner(owner: Readonly<Record<string, JsonValue>>): string {
  const { apiVersion = '', kind = '', name = '', uid = '', controller, blockOwnerDeletion } = owner
  const known = Object.entries({ apiVersion, kind, name, uid, controller, blockOwnerDeletion })
  const shown = known.flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [`"${key}":${goJson(value)}`],
  )
  return `{${shown.join(',')}}`
}
