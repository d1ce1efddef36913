import type { AnyResourceDefinition } from 'setpoint'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type StructuralSchema,
} from 'setpoint/schema'
import { changedValues } from './changed-value.ts'

/** An object as an author writes it. */
export interface Sample {
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly spec?: JsonObject
}

/** One action of a user. It is data, so that a plan can be stored and repeated. */
export type Step =
  | { readonly do: 'create'; readonly name: string; readonly object: Sample }
  | {
      readonly do: 'set'
      readonly name: string
      readonly object: string
      readonly spec: JsonObject
    }
  | { readonly do: 'delete'; readonly name: string; readonly object: string }

/** How many fields are changed, so that a large schema does not make a run endless. */
const fieldsMax = 40

/**
 * The workload of a resource: create an object, change each field of its spec and change it back,
 * delete it, create it again, and delete it.
 */
export function workloadOf(definition: AnyResourceDefinition, sample: Sample): Step[] {
  const object = sample.metadata.name
  const start = sample.spec ?? {}
  const changes = specChanges(definition, sample).slice(0, fieldsMax)
  return [
    { do: 'create', name: `create ${object}`, object: sample },
    ...changes.flatMap(({ field, value, spec }): Step[] => [
      { do: 'set', name: `set ${field} to ${JSON.stringify(value)}`, object, spec },
      { do: 'set', name: `set ${field} back`, object, spec: start },
    ]),
    { do: 'delete', name: `delete ${object}`, object },
    { do: 'create', name: `create ${object} again`, object: sample },
    { do: 'delete', name: `delete ${object} again`, object },
  ]
}

interface SpecChange {
  readonly field: string
  readonly value: JsonValue | undefined
  readonly spec: JsonObject
}

/** The valid changes of single fields of the spec. */
function specChanges(definition: AnyResourceDefinition, sample: Sample): SpecChange[] {
  const schema = definition.schema().properties?.['spec']
  if (schema === undefined) return []
  const isValid = (spec: JsonObject): boolean =>
    definition.safeParse({
      ...sample,
      metadata: { namespace: 'default', ...sample.metadata },
      apiVersion: `${definition.group}/${definition.version}`,
      kind: definition.kind,
      spec,
    }).success
  const start = sample.spec ?? {}
  return fieldsOf(schema, []).flatMap((path) => {
    const changed = changedValues(path.schema, valueAt(start, path.names)).map((value) => ({
      field: `spec.${path.names.join('.')}`,
      value,
      spec: withValue(start, path.names, value),
    }))
    return changed.filter(({ spec }) => isValid(spec))
  })
}

interface FieldPath {
  readonly names: readonly string[]
  readonly schema: StructuralSchema
}

/** The fields that have a value of their own: objects are followed, lists are changed as a whole. */
function fieldsOf(schema: StructuralSchema, names: readonly string[]): FieldPath[] {
  const { properties } = schema
  if (properties === undefined) return names.length === 0 ? [] : [{ names, schema }]
  return Object.entries(properties).flatMap(([name, field]) => fieldsOf(field, [...names, name]))
}

function valueAt(object: JsonObject, names: readonly string[]): JsonValue | undefined {
  return names.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) ? value[name] : undefined),
    object,
  )
}

function withValue(object: JsonObject, names: readonly string[], value: JsonValue): JsonObject {
  const [name = '', ...rest] = names
  const inner = object[name]
  if (rest.length === 0) return { ...object, [name]: value }
  return { ...object, [name]: withValue(isJsonObject(inner) ? inner : {}, rest, value) }
}
