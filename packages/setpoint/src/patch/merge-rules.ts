import type { ListType } from '../kinds/list-types.ts'
import { hasFields } from '../schema/json-value.ts'

/** The key of an item in a list that merges; `undefined` in other lists. */
export function itemKey(item: unknown, type: ListType | undefined): string | undefined {
  if (type?.list === 'set') return JSON.stringify(item)
  if (type?.list !== 'map' || !hasFields(item)) return undefined
  return (type.keys ?? [])
    .map((key) => `${key}=${scalarText(item[key] ?? defaultKeys[key])}`)
    .join()
}

function scalarText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

/** Keys with a default value on the server. */
const defaultKeys: Readonly<Record<string, string>> = { protocol: 'TCP' }

/** How a field merges: objects have a rule for each field, maps one for all entries. */
export function fieldType(type: ListType | undefined, field: string): ListType | undefined {
  return type?.fields === undefined ? type?.items : type.fields[field]
}
