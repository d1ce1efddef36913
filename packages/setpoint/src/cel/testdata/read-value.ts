/** Reads the values of recorded cases. */
import { ArrayList, CelTypeValue, CelUint, EntryMap, type CelValue } from '../values/cel-value.ts'
import { celTypes, opaqueType } from '../types/cel-type.ts'

/** A value with its type, as JSON. */
export type RecordedValue =
  | null
  | boolean
  | string
  | { readonly int: string }
  | { readonly uint: string }
  | { readonly double: string }
  | { readonly bytes: string }
  | { readonly type: string }
  | { readonly list: readonly RecordedValue[] }
  | { readonly map: readonly (readonly [RecordedValue, RecordedValue])[] }

/** The value. */
export function readValue(recorded: RecordedValue): CelValue {
  if (recorded === null || typeof recorded !== 'object') return recorded
  if ('int' in recorded) return BigInt(recorded.int)
  if ('uint' in recorded) return new CelUint(BigInt(recorded.uint))
  if ('double' in recorded) return Number(recorded.double.replace('Inf', 'Infinity'))
  if ('bytes' in recorded) return Uint8Array.from(Buffer.from(recorded.bytes, 'base64'))
  if ('list' in recorded) return new ArrayList(recorded.list.map(readValue))
  if ('type' in recorded) {
    const known = Object.values(celTypes).find(({ name }) => name === recorded.type)
    return new CelTypeValue(known ?? opaqueType(recorded.type))
  }
  const map = new EntryMap()
  for (const [key, value] of recorded.map) map.set(readValue(key), readValue(value))
  return map
}
