import type { StructuralSchema } from '../../schema/index.ts'
import { reject, type Place } from './zod-place.ts'

/** Adds `nullable`; a server never accepts null for an enum. */
export function asNullable(schema: StructuralSchema, place: Place): StructuralSchema {
  if (schema.enum === undefined) return { ...schema, nullable: true }
  return reject(
    place,
    'an API server refuses null for a field with a fixed set of values',
    'make it optional, or add a value such as "None"',
  )
}
