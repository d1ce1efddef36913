/** The sizes of values, on which the costs of calls depend. */
import {
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  CelUint,
  type CelResult,
} from '../values/cel-value.ts'
import { textSize } from '../values/text-size.ts'

/** The cost of reading one character. */
export const traversalFactor = 0.1

/** The cost of one character of a regular expression. */
const patternFactor = 0.25

/** The size of a value: characters, bytes, elements or entries; 1 for values without a size. */
export function sizeOf(value: CelResult): number {
  if (typeof value === 'string') return textSize(value)
  if (typeof value !== 'object' || value === null || value instanceof CelUint) return 1
  if (value instanceof CelList || value instanceof CelMap) return value.size
  if (value instanceof Uint8Array) return value.length
  if (value instanceof CelOptional && value.value !== undefined) return sizeOf(value.value)
  return value instanceof CelObject ? (value.size ?? 1) : 1
}

/** The cost of matching a text against a regular expression. */
export function patternCost(text: CelResult, pattern: CelResult): number {
  const textCost = Math.ceil((1 + sizeOf(text)) * traversalFactor)
  return textCost * Math.ceil(sizeOf(pattern) * patternFactor)
}
