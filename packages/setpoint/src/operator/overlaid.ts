type Fields = Readonly<Record<string, unknown>>

/** A live object with the wanted fields put over it; lists are replaced as a whole. */
export function overlaid(live: Fields, wanted: Fields): Fields {
  const merged: Record<string, unknown> = { ...live }
  for (const [field, value] of Object.entries(wanted)) {
    if (value === undefined) continue
    const before = merged[field]
    merged[field] = isObject(before) && isObject(value) ? overlaid(before, value) : value
  }
  return merged
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
