/** A definition in a normalized form: with defaults, and with converted schemas. */
import type * as core from 'zod/v4/core'
import type { Scope } from '../kinds/kind.ts'
import type { StructuralSchema } from '../schema/index.ts'
import { conditionsSchema } from './status/conditions-schema.ts'
import { runbooksSchema } from './status/runbook-status.ts'
import { deepFreeze } from '../schema/deep-freeze.ts'
import type { Columns, Convert, LooseResourceOptions } from './options/loose-options.ts'
import { pluralOf } from './options/names.ts'
import { optionProblems } from './options/option-problems.ts'
import { shapeProblems } from './options/option-shapes.ts'
import { throwProblems, type Problem } from './options/problem.ts'
import type { ScaleOptions } from './options/resource-options.ts'
import { zodToSchema, type Conversion } from './zod/zod-to-schema.ts'

/** One version of a resource. */
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
  /** Conversions to and from the hub; absent on the hub itself. */
  readonly conversion: VersionConversion | undefined
}

/** The conversions between a version and the hub. */
interface VersionConversion {
  readonly up: Convert
  readonly down: Convert
  /** Whether what one of the two cannot express is kept in an annotation. */
  readonly isLossless: boolean
}

/** A resource with all its versions; the first is the hub, which operators use. */
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

/** Normalizes an author's options; throws all problems together. */
export function resourceModel(options: LooseResourceOptions): ResourceModel {
  throwProblems('DEFINITION_INVALID', subjectOf(options), shapeProblems(options))
  throwProblems('DEFINITION_INVALID', subjectOf(options), optionProblems(options))
  const problems: Problem[] = []
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
    schema: deepFreeze(
      rootSchema(options, { spec: options.spec, status: options.status }, problems),
    ),
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
    schema: deepFreeze(rootSchema(options, { ...version, name }, problems)),
    conversion: { up: version.up, down: version.down, isLossless: version.lossless ?? false },
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
    hasStatus: [options.status, options.conditions, options.runbooks].some(
      (option) => option !== undefined,
    ),
    scale: options.scale,
    selectableFields: options.selectableFields ?? [],
    versions: [hub, ...versions],
  }
}

/** The name of a definition in messages. */
export function subjectOf(options: { readonly kind: string; readonly group: string }): string {
  const { kind, group } = Object(options) as { readonly kind?: unknown; readonly group?: unknown }
  const isNamed = typeof kind === 'string' && typeof group === 'string'
  return isNamed ? `the definition of ${kind}.${group}` : 'the definition of a resource'
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
  for (const [path, part] of [['.spec', spec] as const, ['.status', status] as const]) {
    if (part === undefined || part.problems.length > 0 || part.schema.type === 'object') continue
    const reason = 'must be an object: Kubernetes tools expect one'
    problems.push({ path: `${prefix}${path}`, reason, instead: 'put the value into a field' })
  }
  const rules = (options.rules ?? []).map((entry) => ('_zod' in entry ? entry.rule : entry))
  const statusSchema = statusWithDeclared(options, status, problems)
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

function statusWithDeclared(
  { conditions, runbooks }: LooseResourceOptions,
  status: Conversion | undefined,
  problems: Problem[],
): StructuralSchema | undefined {
  const declared = [
    ...(conditions === undefined ? [] : [['conditions', conditionsSchema] as const]),
    ...(runbooks === undefined ? [] : [['runbooks', runbooksSchema(runbooks)] as const]),
  ]
  if (declared.length === 0 && status === undefined) return undefined
  // A status is written step by step, and a failure must be reported before other fields are known.
  const { required: _, ...schema } = status?.schema ?? { type: 'object' }
  if (declared.length === 0) return schema
  for (const [name] of declared.filter(([each]) => schema.properties?.[each] !== undefined)) {
    problems.push({
      path: `.status.${name}`,
      reason: `the status schema and the option \`${name}\` both define it`,
      instead: 'remove it from the status schema',
    })
  }
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(declared) } }
}
