import type { ListType, ListTypes } from '../kinds/list-types.ts'
import { hasFields } from '../schema/json-value.ts'
import { isSameQuantity } from './same-quantity.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The first place at which a live object lacks what is wanted of it, such as `spec.replicas`; `undefined` when it has
 * everything. What the server or others added is not looked at: lists that merge by key may have more items, maps
 * more entries. This is what makes a steady state free of requests.
 */
export function missingFrom(
  live: unknown,
  wanted: Fields,
  listTypes: ListTypes | undefined,
): string | undefined {
  return missingFields(live, wanted, { path: '', types: listTypes ?? {} })
}

interface Place {
  readonly path: string
  readonly types: ListTypes
}

function missingFields(live: unknown, wanted: Fields, { path, types }: Place): string | undefined {
  if (!hasFields(live)) return path
  for (const [field, value] of Object.entries(wanted)) {
    // An application leaves out what is undefined.
    if (value === undefined) continue
    const place = path === '' ? field : `${path}.${field}`
    const found = missingValue(live[field], value, { path: place, type: types[field] })
    if (found !== undefined) return found
  }
  return undefined
}

function missingValue(
  live: unknown,
  wanted: unknown,
  { path, type }: { readonly path: string; readonly type: ListType | undefined },
): string | undefined {
  if (Array.isArray(wanted)) return missingItems(live, wanted, { path, type })
  if (hasFields(wanted)) {
    // Go leaves empty objects out of what it prints.
    if (live === undefined && Object.keys(wanted).length === 0) return undefined
    return missingFields(live, wanted, { path, types: type?.fields ?? everyField(type?.items) })
  }
  if (wanted === null) return live === undefined || live === null ? undefined : path
  if (live === wanted) return undefined
  if (amountPath.test(path) && isSameQuantity(live, wanted)) return undefined
  // Zero values are left out too.
  const isZero = wanted === '' || wanted === 0 || wanted === false
  return live === undefined && isZero ? undefined : path
}

function missingItems(
  live: unknown,
  wanted: readonly unknown[],
  { path, type }: { readonly path: string; readonly type: ListType | undefined },
): string | undefined {
  const have: readonly unknown[] = Array.isArray(live) ? live : []
  const isMerged = type?.list === 'map' || type?.list === 'set'
  if (!isMerged && have.length !== wanted.length) return path
  for (const [index, item] of wanted.entries()) {
    const key = keyText(item, type)
    const place = `${path}[${key ?? index}]`
    const other = isMerged ? have.find((one) => keyText(one, type) === key) : have[index]
    if (isMerged && other === undefined) return place
    const found = missingValue(other, item, { path: place, type: type?.items })
    if (found !== undefined) return found
  }
  return undefined
}

/** What tells an item of a merging list from the others. */
function keyText(item: unknown, type: ListType | undefined): string | undefined {
  if (type?.list === 'set') return JSON.stringify(item)
  if (type?.list !== 'map' || !hasFields(item)) return undefined
  return (type.keys ?? [])
    .map((key) => `${key}=${scalarText(item[key] ?? defaultKeys[key])}`)
    .join()
}

function scalarText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

/** Where amounts are, which servers write in their shortest form. */
const amountPath =
  /(^|\.)(requests|limits|capacity|hard|overhead|allocatable|min|max|default|defaultRequest|sizeLimit|divisor)(\.|$)/

/** Keys that the server fills in when they are left out. */
const defaultKeys: Readonly<Record<string, string>> = { protocol: 'TCP' }

/** The type of a map's entries holds for every field. */
function everyField(type: ListType | undefined): ListTypes {
  return type?.fields ?? {}
}
