/** The types of literals. */
import { CelUint } from '../values/cel-value.ts'
import { celTypes, type CelType } from './cel-type.ts'

/** The type of a literal such as `1u`. */
export function typeOfLiteral(value: unknown): CelType {
  switch (typeof value) {
    case 'boolean':
      return celTypes.bool
    case 'bigint':
      return celTypes.int
    case 'number':
      return celTypes.double
    case 'string':
      return celTypes.string
    default:
      if (value === null) return celTypes.null
      return value instanceof CelUint ? celTypes.uint : celTypes.bytes
  }
}
