import type * as core from 'zod/v4/core'
import type { StructuralSchema } from '../../schema/index.ts'
import type { Problem } from '../options/problem.ts'

/** The current place of the conversion in a definition, and the problems so far. */
export interface Place {
  /** The path as users write it: `.spec.ports[*].name`. */
  readonly path: string
  /** Shared by all places of one conversion. */
  readonly problems: Problem[]
  /** The enclosing schemas: meeting one again means recursion. */
  readonly ancestors: readonly core.$ZodType[]
  /** False inside lists without keys, where a server cannot match old and new items. */
  readonly isCorrelatable: boolean
  /** Converts a nested schema; passed in because composites and the conversion need each other. */
  readonly convert: (schema: core.$ZodType, place: Place) => StructuralSchema
}

/**
 * Records that a CRD cannot express the schema at this place; the conversion continues to find more
 * problems.
 */
export function reject(place: Place, reason: string, instead?: string): StructuralSchema {
  place.problems.push({ path: place.path, reason, ...(instead === undefined ? {} : { instead }) })
  return {}
}

/** Whether an absent value is accepted: the field is optional or has a default. */
export function isOptional(schema: core.$ZodType): boolean {
  return schema._zod.optin !== undefined
}
