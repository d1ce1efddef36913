/** Prints values for comparisons with recorded ones. */
import { goFloat } from '../values/go-float.ts'
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelResult,
} from '../values/cel-value.ts'

/** The text of a value, the same as that of `scripts/record-cel/`. */
export function show(value: CelResult): string {
  if (value instanceof CelError) return `error ${value.message}`
  if (value instanceof CelList) return `[${[...value].map(show).join(', ')}]`
  if (value instanceof CelMap) {
    const entries = [...value.keys()].map((key) => `${show(key)}: ${show(value.find(key) ?? null)}`)
    return `{${entries.sort().join(', ')}}`
  }
  if (value instanceof CelUint) return `${value.value}u`
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('base64')}`
  if (value instanceof CelDuration) return `duration ${value.nanoseconds}`
  if (value instanceof CelTimestamp) return showTime(value.nanoseconds)
  if (value instanceof CelTypeValue) return `type ${value.type.name}`
  if (value instanceof CelOptional) {
    return value.value === undefined ? 'optional.none' : `optional(${show(value.value)})`
  }
  if (value instanceof CelObject) return `value ${value.type.name}`
  return typeof value === 'number'
    ? `d${goFloat(value)}`
    : typeof value === 'string'
      ? JSON.stringify(value)
      : String(value)
}

function showTime(nanoseconds: bigint): string {
  const billion = 1_000_000_000n
  const rest = ((nanoseconds % billion) + billion) % billion
  return `timestamp ${(nanoseconds - rest) / billion} ${rest}`
}
