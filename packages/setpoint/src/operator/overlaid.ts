import { hasFields } from '../schema/json-value.ts'

type Fields = Readonly<Record<string, unknown>>

/** A live object with the wanted fields put over it; lists are replaced as a whole. */
export function overlaid(live: Fields, wanted: Fields): Fields {
  const merged: Record<string, unknown> = { ...live }
  for (const [field, value] of Object.entries(wanted)) {
    if (value === undefined) continue
    const before = merged[field]
    merged[field] = hasFields(before) && hasFields(value) ? overlaid(before, value) : value
  }
  return merged
}
