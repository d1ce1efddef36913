import { goJson, isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { emptyFieldSet, type FieldSet } from './fields/field-set.ts'
import { fromFieldsV1, toFieldsV1 } from './fields/fields-v1.ts'
import { compareBytes } from './fields/path-element.ts'

/** The fields that one manager owns, in the terms of one version. */
export interface Ownership {
  readonly fields: FieldSet
  readonly apiVersion: string
  readonly applied: boolean
}

/** The identity of an entry of managedFields. */
interface ManagerKey {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  /** Empty for Apply entries, which are the same in every version. */
  readonly apiVersion: string
  readonly subresource: string
}

/**
 * The entries of managedFields by identity (the text of a `ManagerKey`). Times are separate, so
 * that an entry that disappears and reappears within a request keeps its time.
 */
export interface ManagedFields {
  readonly owners: Map<string, Ownership>
  readonly times: Map<string, string | undefined>
}

/** No entries. */
export function noManagedFields(): ManagedFields {
  return { owners: new Map(), times: new Map() }
}

/**
 * The identity as text: JSON of the entry without fields and time, which sorts like on a real
 * server.
 */
export function managerId(key: ManagerKey): string {
  const { manager, operation, subresource } = key
  const apiVersion = operation === 'Apply' ? '' : key.apiVersion
  const parts = [
    manager === '' ? '' : `"manager":${goJson(manager)}`,
    `"operation":"${operation}"`,
    apiVersion === '' ? '' : `"apiVersion":${goJson(apiVersion)}`,
    subresource === '' ? '' : `"subresource":${goJson(subresource)}`,
  ]
  return `{${parts.filter((part) => part !== '').join(',')}}`
}

/** Parses an identity. */
export function managerKey(id: string): ManagerKey {
  const key = JSON.parse(id) as Partial<ManagerKey>
  return {
    manager: key.manager ?? '',
    operation: key.operation ?? 'Update',
    apiVersion: key.apiVersion ?? '',
    subresource: key.subresource ?? '',
  }
}

/** The `managedFields` of an object. */
export function managedFieldsOf(object: JsonObject | undefined): JsonValue | undefined {
  const metadata = object?.['metadata']
  return isJsonObject(metadata) ? metadata['managedFields'] : undefined
}

/** The object with other `managedFields`, or without them for undefined. */
export function withManagedFields(
  object: JsonObject,
  managedFields: JsonValue[] | undefined,
): JsonObject {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {}
  if (managedFields === undefined) {
    if (!Object.hasOwn(metadata, 'managedFields')) return object
    const { managedFields: _removed, ...rest } = metadata
    return { ...object, metadata: rest }
  }
  return { ...object, metadata: { ...metadata, managedFields } }
}

function textOf(entry: JsonObject, name: string): string {
  const value = Object.hasOwn(entry, name) ? entry[name] : undefined
  return typeof value === 'string' ? value : ''
}

/** Parses `managedFields`; throws when an entry is invalid. */
export function parseManagedFields(managedFields: JsonValue | undefined): ManagedFields {
  const managers = noManagedFields()
  if (!Array.isArray(managedFields)) return managers
  for (const [index, value] of managedFields.entries()) {
    const entry = isJsonObject(value) ? value : {}
    const operation = textOf(entry, 'operation')
    if (operation !== 'Apply' && operation !== 'Update') {
      throw new Error('operation must be `Apply` or `Update`')
    }
    const apiVersion = textOf(entry, 'apiVersion')
    if (apiVersion === '') throw new Error('apiVersion must not be empty')
    const fieldsType = textOf(entry, 'fieldsType')
    if (fieldsType === '') {
      throw new Error(`missing fieldsType in managed fields entry ${index}`)
    }
    if (fieldsType !== 'FieldsV1') {
      throw new Error(
        `invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`,
      )
    }
    const key = {
      manager: textOf(entry, 'manager'),
      operation,
      apiVersion,
      subresource: textOf(entry, 'subresource'),
    } as const
    const id = managerId(key)
    const fields = entry['fieldsV1'] === undefined ? emptyFieldSet : fromFieldsV1(entry['fieldsV1'])
    managers.owners.set(id, { fields, apiVersion, applied: operation === 'Apply' })
    managers.times.set(id, textOf(entry, 'time') || undefined)
  }
  return managers
}

/** Seconds since the epoch; an entry without a time is the oldest. */
export function secondsOf(time: string | undefined): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time)
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000)
}

interface PrintedEntry {
  readonly key: ManagerKey
  readonly time: string | undefined
  readonly apiVersion: string
  readonly fields: FieldSet
}

function compareEntries(a: PrintedEntry, b: PrintedEntry): number {
  return (
    compareBytes(a.key.operation, b.key.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareBytes(a.key.manager, b.key.manager) ||
    compareBytes(a.apiVersion, b.apiVersion) ||
    compareBytes(a.key.subresource, b.key.subresource)
  )
}

/** Prints `managedFields` in the server's order; undefined when there are no owners. */
export function printManagedFields(managers: ManagedFields): JsonValue[] | undefined {
  if (managers.owners.size === 0) return undefined
  const entries: PrintedEntry[] = []
  for (const [id, { fields, apiVersion }] of managers.owners) {
    entries.push({ key: managerKey(id), time: managers.times.get(id), apiVersion, fields })
  }
  return entries.sort(compareEntries).map(({ key, time, apiVersion, fields }) => ({
    ...(key.manager === '' ? {} : { manager: key.manager }),
    operation: key.operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: toFieldsV1(fields),
    ...(key.subresource === '' ? {} : { subresource: key.subresource }),
  }))
}
