import type { ListType } from '../kinds/list-types.ts'
import { hasFields } from '../schema/json-value.ts'

/** What tells an item of a merging list from the others; `undefined` in other lists. */
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

/** Keys that the server fills in when they are left out. */
const defaultKeys: Readonly<Record<string, string>> = { protocol: 'TCP' }

/** How a field of a value merges: objects say it by name, maps for all their entries. */
export function fieldType(type: ListType | undefined, field: string): ListType | undefined {
  return type?.fields === undefined ? type?.items : type.fields[field]
}
