/** A definition in one plain form: what the author left out is filled in, schemas are converted. */
import type * as core from 'zod/v4/core'
import type { Scope } from '../kinds/kind.ts'
import type { StructuralSchema, ValidationRule } from '../schema/index.ts'
import { conditionsSchema, isConditionType } from './conditions.ts'
import { pluralOf } from './names.ts'
import { throwProblems, type Problem } from './problem.ts'
import type {
  ColumnOptions,
  ConversionSource,
  ConvertedContent,
  ScaleOptions,
} from './resource-options.ts'
import type { Rule } from './vocabulary.ts'
import { zodToSchema, type Conversion } from './zod-to-schema.ts'

type Columns = Readonly<Record<string, string | ColumnOptions>>
type Convert = (from: ConversionSource<unknown, unknown>) => ConvertedContent<unknown, unknown>

/** The options of a version without their type parameters. */
interface LooseVersionOptions {
  readonly spec: core.$ZodType
  readonly status?: core.$ZodType
  readonly served?: boolean
  readonly storage?: true
  readonly deprecated?: boolean | string
  readonly columns?: Columns
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
  readonly columns?: Columns
  readonly scale?: ScaleOptions
  readonly selectableFields?: readonly string[]
  readonly rules?: readonly (Rule | ValidationRule)[]
  readonly versions?: Readonly<Record<string, LooseVersionOptions>>
}

/** One version of a resource, ready to be printed, parsed and converted. */
export interface VersionModel {
  readonly name: string
  readonly isServed: boolean
  readonly isStored: boolean
  readonly deprecated: boolean | string
  readonly spec: core.$ZodType
  readonly status: core.$ZodType | undefined
  readonly columns: Columns | undefined
  /** The schema of a whole object of this version. */
  readonly schema: StructuralSchema
  /** To and from the hub; absent on the hub itself. */
  readonly conversion: { readonly up: Convert; readonly down: Convert } | undefined
}

/** A resource with all its versions; the first is the hub, which operators are written against. */
export interface ResourceModel {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly scope: Scope
  readonly hasStatus: boolean
  readonly scale: ScaleOptions | undefined
  readonly selectableFields: readonly string[]
  readonly versions: readonly [VersionModel, ...VersionModel[]]
}

/** Reads an author's options; throws everything that is wrong with them at once. */
export function resourceModel(options: LooseResourceOptions): ResourceModel {
  const problems: Problem[] = checkOptions(options)
  const others = Object.entries(options.versions ?? {})
  const storing = others.filter(([, version]) => version.storage === true)
  const hub: VersionModel = {
    name: options.version,
    isServed: true,
    isStored: storing.length === 0,
    deprecated: false,
    spec: options.spec,
    status: options.status,
    columns: options.columns,
    schema: rootSchema(options, { spec: options.spec, status: options.status }, problems),
    conversion: undefined,
  }
  const versions = others.map(([name, version]): VersionModel => ({
    name,
    isServed: version.served ?? true,
    isStored: version.storage ?? false,
    deprecated: version.deprecated ?? false,
    spec: version.spec,
    status: version.status,
    columns: version.columns,
    schema: rootSchema(options, { ...version, name }, problems),
    conversion: { up: version.up, down: version.down },
  }))
  throwProblems('SCHEMA_NOT_REPRESENTABLE', subjectOf(options), problems)
  return {
    group: options.group,
    kind: options.kind,
    plural: options.plural ?? pluralOf(options.kind),
    singular: options.singular ?? options.kind.toLowerCase(),
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    scope: options.scope ?? 'Namespaced',
    hasStatus: options.status !== undefined || options.conditions !== undefined,
    scale: options.scale,
    selectableFields: options.selectableFields ?? [],
    versions: [hub, ...versions],
  }
}

/** How messages name a definition. */
export function subjectOf(options: { readonly kind: string; readonly group: string }): string {
  return `the definition of ${options.kind}.${options.group}`
}

/** What only the options as a whole can get wrong; names and schemas are checked with the CRD. */
function checkOptions(options: LooseResourceOptions): Problem[] {
  const problems: Problem[] = []
  if (Object.hasOwn(options.versions ?? {}, options.version)) {
    problems.push({
      path: `versions.${options.version}`,
      reason: 'this is the version the definition itself describes',
      instead: 'list only the others',
    })
  }
  for (const type of options.conditions ?? []) {
    if (!isConditionType(type)) {
      problems.push({
        path: 'conditions',
        reason: `${JSON.stringify(type)} is not a condition type`,
        instead: 'use a CamelCase word such as "Ready"',
      })
    }
  }
  return problems
}

interface VersionSchemas {
  readonly name?: string
  readonly spec: core.$ZodType
  readonly status?: core.$ZodType | undefined
}

function rootSchema(
  options: LooseResourceOptions,
  version: VersionSchemas,
  problems: Problem[],
): StructuralSchema {
  const prefix = version.name === undefined ? '' : `${version.name} `
  const spec = zodToSchema(version.spec, `${prefix}.spec`)
  const status =
    version.status === undefined ? undefined : zodToSchema(version.status, `${prefix}.status`)
  problems.push(...spec.problems, ...(status?.problems ?? []))
  const rules = (options.rules ?? []).map((entry) => ('_zod' in entry ? entry.rule : entry))
  const statusSchema = statusWithConditions(options, status, problems)
  return {
    type: 'object',
    ...(options.description === undefined ? {} : { description: options.description }),
    properties: {
      spec: spec.schema,
      ...(statusSchema === undefined ? {} : { status: statusSchema }),
    },
    ...(spec.isOptional ? {} : { required: ['spec'] }),
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  }
}

function statusWithConditions(
  { conditions }: LooseResourceOptions,
  status: Conversion | undefined,
  problems: Problem[],
): StructuralSchema | undefined {
  if (conditions === undefined) return status?.schema
  const schema = status?.schema ?? { type: 'object' }
  if (schema.properties?.['conditions'] !== undefined) {
    problems.push({
      path: '.status.conditions',
      reason: 'the status schema and the option `conditions` both define it',
      instead: 'remove it from the status schema',
    })
  }
  return { ...schema, properties: { ...schema.properties, conditions: conditionsSchema } }
}
