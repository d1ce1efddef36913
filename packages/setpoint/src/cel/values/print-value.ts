/** Prints values as Go's `%v` does in messages. */
import { goFloat } from './go-float.ts'
import { CelUint, type CelValue } from './cel-value.ts'

/** The text of a simple value in a message. */
export function printValue(value: CelValue): string {
  switch (typeof value) {
    case 'number':
      return goFloat(value)
    case 'string':
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      return value instanceof CelUint ? String(value.value) : 'null'
  }
}
