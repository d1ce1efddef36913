/** Fixed sets of values: enums and literals. */
import * as core from 'zod/v4/core'
import type { StructuralSchema } from '../../schema/index.ts'
import { reject, type Place } from './zod-place.ts'

export function convertEnum(schema: core.$ZodEnum, place: Place): StructuralSchema {
  return fixedValues(core.util.getEnumValues(schema._zod.def.entries), place)
}

export function convertLiteral(schema: core.$ZodLiteral, place: Place): StructuralSchema {
  return fixedValues(schema._zod.def.values, place)
}

/** The schema that accepts exactly these values, with the narrowest type. */
export function fixedValues(values: readonly unknown[], place: Place): StructuralSchema {
  if (values.length === 0) return reject(place, 'no value would be allowed', 'list at least one')
  if (values.every((value) => typeof value === 'string')) return { type: 'string', enum: values }
  if (values.every((value) => typeof value === 'boolean')) return { type: 'boolean', enum: values }
  if (values.every((value) => typeof value === 'number')) {
    return { type: values.every(Number.isInteger) ? 'integer' : 'number', enum: values }
  }
  if (values.every((value) => typeof value === 'string' || Number.isInteger(value))) {
    return { 'x-kubernetes-int-or-string': true, enum: values as (string | number)[] }
  }
  return reject(
    place,
    `the values ${values.map(String).join(', ')} have no common type`,
    'use strings throughout',
  )
}
