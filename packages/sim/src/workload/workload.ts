import type { AnyResourceDefinition } from 'setpoint'
import type { JsonObject, JsonValue, StructuralSchema } from 'setpoint/schema'
import { type ChangedValue, changedValues } from './changed-value.ts'
import { valueAt, withValue } from './spec-path.ts'
import type { Sample, SpecChange, Step } from './step.ts'

/** How many changes are tried, so that a large schema does not make a run endless. */
const changesMax = 60

/** What a workload needs to know of the world. */
interface WorkloadOptions {
  /** An image that no node can pull. */
  readonly badImage: string
  /** Whether only the fields that are likely to change the most are changed. */
  readonly isShort?: boolean
}

/**
 * The workload of a resource: create an object, change each field of its spec and change it back,
 * delete it, create it again, and delete it.
 */
export function workloadOf(
  definition: AnyResourceDefinition,
  sample: Sample,
  options: WorkloadOptions,
): Step[] {
  const { name: object, namespace } = sample.metadata
  const subject = { object, ...(namespace === undefined ? {} : { namespace }) }
  const start = sample.spec ?? {}
  const all = specChanges(definition, sample, options)
  const changes = options.isShort === true ? largest(all) : all.slice(0, changesMax)
  return [
    { do: 'create', name: `create ${object}`, object: sample },
    ...changes.flatMap(({ field, value, spec, isBad }): Step[] => [
      {
        do: 'set',
        name: value === undefined ? `remove ${field}` : `set ${field} to ${JSON.stringify(value)}`,
        ...subject,
        field,
        spec,
        ...(isBad ? { isBad } : {}),
      },
      { do: 'set', name: `set ${field} back`, ...subject, field, spec: start, isBack: true },
    ]),
    { do: 'delete', name: `delete ${object}`, ...subject },
    ...(options.isShort === true
      ? []
      : ([
          { do: 'create', name: `create ${object} again`, object: sample },
          { do: 'delete', name: `delete ${object} again`, ...subject },
        ] as const)),
  ]
}

/** The first change of each of two fields: of those that remove objects, if there are any. */
function largest(changes: readonly FieldChange[]): FieldChange[] {
  const first = changes.filter(
    ({ field, isBad = false }, index) =>
      !isBad && changes.findIndex((one) => one.field === field) === index,
  )
  return first.toSorted((left, right) => effectOf(left) - effectOf(right)).slice(0, 2)
}

/** Switches and optional parts first, then lists, then numbers; texts have the least effect. */
function effectOf({ value }: FieldChange): number {
  if (typeof value === 'boolean' || value === undefined) return 0
  if (typeof value === 'object') return 1
  return typeof value === 'number' ? 2 : 3
}

interface FieldChange extends SpecChange {
  readonly value: JsonValue | undefined
}

/** How many fields the spec of a resource has. */
export function specFieldCount(definition: AnyResourceDefinition): number {
  const schema = definition.schema().properties?.['spec']
  return schema === undefined ? 0 : fieldsOf(schema, []).length
}

/** The valid changes of single fields of the spec. */
function specChanges(
  definition: AnyResourceDefinition,
  sample: Sample,
  { badImage }: WorkloadOptions,
): FieldChange[] {
  const schema = definition.schema().properties?.['spec']
  if (schema === undefined) return []
  /** The spec with its defaults; `undefined` if it is not valid. */
  const parsed = (spec: JsonObject): string | undefined => {
    const result = definition.safeParse({
      ...sample,
      metadata: { namespace: 'default', ...sample.metadata },
      apiVersion: definition.apiVersion,
      kind: definition.kind,
      spec,
    })
    return result.success ? JSON.stringify(result.data) : undefined
  }
  const start = sample.spec ?? {}
  const present = parsed(start)
  return fieldsOf(schema, []).flatMap((path) => {
    const name = path.names.at(-1) ?? ''
    const value = valueAt(start, path.names)
    const isPart = path.schema.properties !== undefined
    const changed = isPart
      ? [{ value: undefined }].filter(() => value !== undefined)
      : changedValues({ name, schema: path.schema, value }, badImage)
    return (
      changed
        .map(({ value: other, isBad = false }: ChangedValue) => ({
          field: `spec.${path.names.join('.')}`,
          value: other,
          spec: withValue(start, path.names, other),
          isBad,
        }))
        // A default may be the value that was removed.
        .filter(({ spec }) => ![undefined, present].includes(parsed(spec)))
    )
  })
}

interface FieldPath {
  readonly names: readonly string[]
  readonly schema: StructuralSchema
}

/** All fields below the spec. Objects are followed, lists are changed as a whole. */
function fieldsOf(schema: StructuralSchema, names: readonly string[]): FieldPath[] {
  const own = names.length === 0 ? [] : [{ names, schema }]
  const inner = Object.entries(schema.properties ?? {})
  return [...own, ...inner.flatMap(([name, field]) => fieldsOf(field, [...names, name]))]
}
