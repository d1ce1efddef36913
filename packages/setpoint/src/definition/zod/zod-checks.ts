/** zod's checks on a server: some have a keyword, others cannot run there. */
import type * as core from 'zod/v4/core'
import type { StructuralSchema } from '../../schema/index.ts'
import { annotationOf } from '../kubernetes-checks.ts'
import { reject, type Place } from './zod-place.ts'

/** All checks of a schema: a format schema such as `z.email()` is its own first check. */
export function checksOf(schema: core.$ZodType): core.$ZodChecks[] {
  const self = schema._zod.traits.has('$ZodCheck') ? [schema as unknown as core.$ZodCheck] : []
  return [...self, ...(schema._zod.def.checks ?? [])] as core.$ZodChecks[]
}

/** Refuses a check without a keyword; Setpoint's own checks have one. */
export function rejectCheck(check: core.$ZodCheck, place: Place): void {
  if (annotationOf(check) !== undefined) return
  if (check._zod.def.check === 'overwrite') {
    reject(
      place,
      'a server stores values as written: it does not trim, change case or overwrite',
      'describe the expected form with .regex(...)',
    )
    return
  }
  reject(
    place,
    'an API server cannot run a JavaScript check',
    "write it as CEL: .check(rule('self ...', { message: '...' }))",
  )
}

/** Lengths are counts: a server cannot decode a CRD with `minLength: 1.5`. */
export function wholeLength(length: number, place: Place): number {
  if (!Number.isInteger(length) || length < 0) {
    reject(place, `the length ${length} is not a whole number`, 'use a count of 0 or more')
  }
  return length
}

/** Coercing schemas accept more than a server, which takes values as written. */
export function rejectCoercion(place: Place): StructuralSchema {
  return reject(place, 'a server does not coerce values', 'write the schema without z.coerce')
}
