/**
 * A status that several programs write: finds the fields that other managers own, and keeps them.
 */
import type { ResourceCondition } from '../../definition/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { hasFields } from '../../schema/json-value.ts'

/** A status whose fields are the author's. */
export interface Status {
  /** The API server writes null for the empty list of a kind whose Go type requires the field. */
  readonly conditions?: readonly ResourceCondition[] | null
  readonly [field: string]: unknown
}

/** The prefix of condition types among the names of fields. */
export const conditionPrefix = 'conditions/'

function statusOf(object: ApiResource): Status {
  return (object['status'] ?? {}) as Status
}

/** The conditions of an object, or none. */
export function conditionsOf(object: ApiResource): readonly ResourceCondition[] {
  return statusOf(object).conditions ?? []
}

/** A status with the condition that the object has, unless the status states it. */
export function withKeptCondition(object: ApiResource, status: Status, type: string): Status {
  const conditions = status.conditions ?? []
  const kept = conditionsOf(object).find((condition) => condition.type === type)
  const isStated = conditions.some((condition) => condition.type === type)
  return kept === undefined || isStated ? status : { ...status, conditions: [...conditions, kept] }
}

/** The fields of a status that are not stated, and its conditions with their prefix. */
export function extraFields(object: ApiResource, stated: Status): string[] {
  const { conditions, ...fields } = statusOf(object)
  const types = new Set(stated.conditions?.map(({ type }) => type))
  return [
    ...Object.keys(fields).filter((field) => stated[field] === undefined),
    ...(conditions ?? [])
      .filter(({ type }) => !types.has(type))
      .map(({ type }) => conditionPrefix + type),
  ]
}

/** An entry of `metadata.managedFields`. */
interface Managed {
  readonly manager?: string
  readonly fieldsV1?: Readonly<Record<string, unknown>>
}

function managersOf({ metadata }: ApiResource): readonly Managed[] {
  return (metadata as { readonly managedFields?: readonly Managed[] }).managedFields ?? []
}

/** The managers that own the values of a condition, by `managedFields`. */
export function conditionManagers(object: ApiResource, type: string): string[] {
  const path = ['f:status', 'f:conditions', `k:${JSON.stringify({ type })}`]
  return managersOf(object).flatMap(({ manager, fieldsV1 }) => {
    const owned = path.reduce<unknown>((at, key) => (hasFields(at) ? at[key] : undefined), fieldsV1)
    const hasValue = hasFields(owned) && ['f:status', 'f:message'].some((field) => field in owned)
    return hasValue ? (manager ?? []) : []
  })
}

/** The fields of a status that other managers own, by `managedFields`. */
export function foreignStatus(object: ApiResource, manager: string): Set<string> {
  const names = new Set<string>()
  for (const entry of managersOf(object)) {
    const owned = entry.manager === manager ? undefined : entry.fieldsV1?.['f:status']
    if (!hasFields(owned)) continue
    for (const [field, below] of Object.entries(owned)) {
      if (field === 'f:conditions' && hasFields(below)) {
        for (const key of Object.keys(below)) addCondition(names, key)
      } else if (field.startsWith('f:')) names.add(field.slice(2))
    }
  }
  return names
}

/** `k:{"type":"Ready"}` */
function addCondition(names: Set<string>, key: string): void {
  if (!key.startsWith('k:')) return
  const { type } = JSON.parse(key.slice(2)) as { type?: unknown }
  if (typeof type === 'string') names.add(conditionPrefix + type)
}

/** The stated status, with the fields of other managers. */
export function withForeign(
  object: ApiResource,
  stated: Status,
  foreign: ReadonlySet<string> | undefined,
): Status {
  if (foreign === undefined) return stated
  const before = statusOf(object)
  const kept = extraFields(object, stated).filter((field) => foreign.has(field))
  const fields = kept.filter((field) => !field.startsWith(conditionPrefix))
  const conditions = conditionsOf(object).filter(({ type }) =>
    kept.includes(conditionPrefix + type),
  )
  return {
    ...Object.fromEntries(fields.map((field) => [field, before[field]])),
    ...stated,
    ...(conditions.length === 0
      ? {}
      : { conditions: [...conditions, ...(stated.conditions ?? [])] }),
  }
}
