/** The options of a definition at run time, without type parameters. */
import type * as core from 'zod/v4/core'
import type { Scope } from '../../kinds/kind.ts'
import type { ValidationRule } from '../../schema/index.ts'
import type {
  ColumnOptions,
  ConversionSource,
  ConvertedContent,
  ScaleOptions,
} from './resource-options.ts'
import type { Rule } from '../kubernetes-checks.ts'

/** Columns by their header. */
export type Columns = Readonly<Record<string, string | ColumnOptions>>
/** One direction of a conversion. */
export type Convert = (
  from: ConversionSource<unknown, unknown>,
) => ConvertedContent<unknown, unknown>

/** The options of a version without their type parameters. */
interface LooseVersionOptions {
  readonly spec: core.$ZodType
  readonly status?: core.$ZodType
  readonly served?: boolean
  readonly storage?: true
  readonly deprecated?: boolean | string
  readonly columns?: Columns
  readonly lossless?: boolean
  readonly up: Convert
  readonly down: Convert
}

/** The options of a resource without their type parameters. */
export interface LooseResourceOptions {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural?: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly scope?: Scope
  readonly description?: string
  readonly spec: core.$ZodType
  readonly status?: core.$ZodType
  readonly conditions?: readonly string[]
  readonly runbooks?: readonly string[]
  readonly columns?: Columns
  readonly scale?: ScaleOptions
  readonly selectableFields?: readonly string[]
  readonly rules?: readonly (Rule | ValidationRule)[]
  readonly versions?: Readonly<Record<string, LooseVersionOptions>>
}
