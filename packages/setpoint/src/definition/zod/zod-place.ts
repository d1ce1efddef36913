import type * as core from 'zod/v4/core'
import type { StructuralSchema } from '../../schema/index.ts'
import type { Problem } from '../options/problem.ts'

/** Where in a definition the conversion stands, and what it has found wrong so far. */
export interface Place {
  /** The path as users write it: `.spec.ports[*].name`. */
  readonly path: string
  /** Shared by all places of one conversion. */
  readonly problems: Problem[]
  /** The schemas on the way here: meeting one again means recursion. */
  readonly ancestors: readonly core.$ZodType[]
  /** False inside lists without keys, where a server cannot tell which old item belongs to a new one. */
  readonly isCorrelatable: boolean
  /** Converts a schema found further inside; handed in because composites and the walk need each other. */
  readonly convert: (schema: core.$ZodType, place: Place) => StructuralSchema
}

/** Notes that the schema at this place cannot be said in a CRD; the conversion goes on to find more. */
export function reject(place: Place, reason: string, instead?: string): StructuralSchema {
  place.problems.push({ path: place.path, reason, ...(instead === undefined ? {} : { instead }) })
  return {}
}

/** Whether an absent value is acceptable: the field is optional or has a default. */
export function isOptional(schema: core.$ZodType): boolean {
  return schema._zod.optin !== undefined
}
