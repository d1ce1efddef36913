import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { builtinData } from '../../data/index.ts'
import type { SelectableFields } from './served-resource.ts'

/** Selectable fields whose name differs from the path. */
const paths: Readonly<Record<string, string>> = {
  'spec.host': 'spec.nodeName',
  'status.successful': 'status.succeeded',
  source: 'source.component',
}

/** The values of absent fields that are not text; for other fields it is the empty string. */
const zeros: Readonly<Record<string, string>> = {
  'spec.hostNetwork': 'false',
  'spec.unschedulable': 'false',
  'status.replicas': '0',
  'status.successful': '0',
}

/** The selectable fields of a built-in resource, `v1/pods` or `apps/v1/deployments`. */
export function builtinSelectableFields(name: string): SelectableFields {
  const known = builtinData.selectableFields()[name]
  const names = new Set(known?.fields ?? ['metadata.name', 'metadata.namespace'])
  const refusal = known?.refusal ?? 'field label not supported: FIELD'
  return {
    names,
    refusal: (field) => refusal.replace('FIELD', () => field),
    valueOf: (object, field) => textAt(object, field),
  }
}

function textAt(object: JsonObject, field: string): string {
  const value = valueAt(object, (paths[field] ?? field).split('.'))
  const text = scalarText(value)
  if (field === 'source' && text === '') return scalarText(object['reportingComponent'])
  return text === '' ? (zeros[field] ?? '') : text
}

/** The selectable fields of a custom resource: name and namespace, and those of its definition. */
export function customSelectableFields(jsonPaths: readonly string[]): SelectableFields {
  const fields = jsonPaths.map((path) => path.replace(/^\./, ''))
  const names = new Set(['metadata.name', 'metadata.namespace', ...fields])
  return {
    names,
    refusal: (field) => `field label not supported: ${field}`,
    valueOf: (object, field) => scalarText(valueAt(object, field.split('.'))),
  }
}

function valueAt(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object
  for (const step of path) {
    if (!isJsonObject(value)) return undefined
    value = Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}

function scalarText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' || value === undefined ? '' : String(value)
}
