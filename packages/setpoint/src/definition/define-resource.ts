import type * as core from 'zod/v4/core'
import { SetpointError } from '../errors/index.ts'
import type { Kind, Scope } from '../kinds/kind.ts'
import { crdErrors } from '../schema/crd/crd-errors.ts'
import type { CrdManifest, StructuralSchema } from '../schema/index.ts'
import { pathProblems } from './columns.ts'
import { convertResource } from './convert-resource.ts'
import { checkedCrd, crdOf, type CrdOptions } from './crd.ts'
import type { LooseResourceOptions } from './options/loose-options.ts'
import {
  parseOrThrow,
  parseResource,
  type ParseOptions,
  type ParseResult,
} from './parse-resource.ts'
import { throwProblems } from './options/problem.ts'
import {
  resourceModel,
  subjectOf,
  type ResourceModel,
  type VersionModel,
} from './resource-model.ts'
import type { ResourceOptions } from './options/resource-options.ts'
import type {
  InputOf,
  OutputOf,
  ParsedResource,
  ResourceManifest,
  ResourceNames,
  ResourceObject,
  ResourceTypes,
  TypedDefinition,
  WithDeclared,
} from './resource-types.ts'

/** Any definition, for code that handles all resources alike. */
export interface AnyResourceDefinition extends Kind {
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  /** The condition types that the operator declared; `.status` may set exactly these. */
  readonly conditions: readonly string[]
  /** The names of the runbooks of the resource; `.runbook` declares their steps. */
  readonly runbooks: readonly string[]
  /** All versions, the definition's own first. */
  readonly versions: readonly string[]
  /**
   * Applies defaults and validates an object as the API server does; throws `OBJECT_INVALID`. CEL
   * rules are checked if the program has loaded `setpoint/cel`, as `@setpoint/cluster` and
   * `setpoint/testing` do: see `ParseOptions`.
   */
  parse(input: unknown, options?: ParseOptions): unknown
  /** Like `parse`, with the problems as data. */
  safeParse(input: unknown, options?: ParseOptions): ParseResult<unknown>
  /** The structural schema of a whole object, by default of the definition's own version. */
  schema(version?: string): StructuralSchema
  /** The CustomResourceDefinition, validated when the resource was defined. */
  crd(options?: CrdOptions): CrdManifest
  /** Converts an object of any version to another one; throws `CONVERSION_FAILED`. */
  convert(object: unknown, to: string): unknown
}

/** A custom resource: its identity, its types, and everything that is derived from its schema. */
export interface ResourceDefinition<Types extends ResourceTypes>
  extends AnyResourceDefinition, TypedDefinition<Types> {
  readonly '~object'?: Types['object']
  readonly conditions: readonly Types['condition'][]
  readonly runbooks: readonly Types['runbook'][]
  readonly versions: readonly (keyof Types['versions'] & string)[]
  parse(input: unknown, options?: ParseOptions): Types['parsed']
  safeParse(input: unknown, options?: ParseOptions): ParseResult<Types['parsed']>
  schema(version?: keyof Types['versions'] & string): StructuralSchema
  convert<Version extends keyof Types['versions'] & string>(
    object: Types['versions'][keyof Types['versions']] | Types['parsed'],
    to: Version,
  ): Types['versions'][Version]
}

/** The object types of the further versions by version name. */
type VersionObjects<
  Names extends Omit<ResourceNames, 'version'>,
  Specs,
  Statuses,
  Conditions extends string,
  Runbooks extends string,
> = {
  [V in keyof Specs]: ResourceObject<
    Names & { version: V & string },
    OutputOf<Specs[V]>,
    WithDeclared<V extends keyof Statuses ? OutputOf<Statuses[V]> : unknown, Conditions, Runbooks>
  >
}

/** The types that the compiler derives from the options of a definition. */
interface TypesOf<
  Names extends ResourceNames,
  Spec,
  Status,
  Conditions extends string,
  Runbooks extends string,
  VersionSpecs,
  VersionStatuses,
> extends ResourceTypes {
  object: ResourceObject<
    Names,
    OutputOf<Spec>,
    WithDeclared<OutputOf<Status>, Conditions, Runbooks>
  >
  manifest: ResourceManifest<
    Names,
    InputOf<Spec>,
    WithDeclared<InputOf<Status>, Conditions, Runbooks>
  >
  parsed: ParsedResource<
    Names,
    OutputOf<Spec>,
    WithDeclared<OutputOf<Status>, Conditions, Runbooks>
  >
  condition: Conditions
  runbook: Runbooks
  versions: { [V in Names['version']]: this['object'] } & VersionObjects<
    Omit<Names, 'version'>,
    VersionSpecs,
    VersionStatuses,
    Conditions,
    Runbooks
  >
}

/**
 * Defines a resource: types, CRD, defaults and validation are derived from its zod schemas. It is
 * pure and registers nothing. It throws when a CRD cannot express a schema or an API server would
 * refuse it, with the path of the field and what to write instead.
 */
export function defineResource<
  const Group extends string,
  const Version extends string,
  const KindName extends string,
  Spec extends core.$ZodType,
  Status extends core.$ZodType | undefined = undefined,
  const ResourceScope extends Scope = 'Namespaced',
  const Conditions extends string = never,
  const Runbooks extends string = never,
  const Columns = unknown,
  const Scale = unknown,
  const Selectable extends readonly string[] = [],
  VersionSpecs = unknown,
  VersionStatuses = unknown,
>(
  options: ResourceOptions<
    Group,
    Version,
    KindName,
    ResourceScope,
    Spec,
    Status,
    Conditions,
    Runbooks,
    Columns,
    Scale,
    Selectable,
    VersionSpecs,
    VersionStatuses
  >,
): ResourceDefinition<
  TypesOf<
    { group: Group; version: Version; kind: KindName; scope: ResourceScope },
    Spec,
    Status,
    Conditions,
    Runbooks,
    VersionSpecs,
    VersionStatuses
  >
> {
  // The type parameters describe this object; at run time it is read without them.
  const loose = options as unknown as LooseResourceOptions
  const model = resourceModel(loose)
  throwProblems('DEFINITION_INVALID', subjectOf(model), pathProblems(model))
  const errors = crdErrors(crdOf(model))
  throwProblems(
    'DEFINITION_INVALID',
    subjectOf(model),
    errors.map(({ field, message }) => ({ path: definitionPath(field), reason: message })),
  )
  return definitionOf(model, loose) as never
}

function definitionOf(
  model: ResourceModel,
  { conditions = [], runbooks = [] }: LooseResourceOptions,
): AnyResourceDefinition {
  const [hub] = model.versions
  return {
    group: model.group,
    version: hub.name,
    apiVersion: `${model.group}/${hub.name}`,
    kind: model.kind,
    plural: model.plural,
    singular: model.singular,
    shortNames: model.shortNames,
    categories: model.categories,
    scope: model.scope,
    subresources: [
      ...(model.hasStatus ? ['status'] : []),
      ...(model.scale === undefined ? [] : ['scale']),
    ],
    conditions,
    runbooks,
    versions: model.versions.map((version) => version.name),
    parse: (input, { rules } = {}) => parseOrThrow(model, { version: hub, rules }, input),
    safeParse: (input, { rules } = {}) => parseResource(model, { version: hub, rules }, input),
    schema: (name = hub.name) => versionNamed(model, name).schema,
    crd: (options) => (options === undefined ? crdOf(model) : checkedCrd(model, options)),
    convert: (object, to) => convertResource(model, object, to),
  }
}

/** The path in the definition of a problem in the CRD: `.spec.ports[*].name`. */
function definitionPath(field: string): string {
  const inSchema = /^spec\.(?:validation|versions\[\d+\]\.schema)\.openAPIV3Schema(.*)$/.exec(field)
  if (inSchema?.[1] === undefined) return field
  return inSchema[1]
    .replace(/\.properties\[([^\]]*)\]/g, '.$1')
    .replace(/\.items(?=[.[]|$)/g, '[*]')
    .replace(/\.additionalProperties(?=[.[]|$)/g, '.*')
}

function versionNamed(model: ResourceModel, name: string): VersionModel {
  const version = model.versions.find((candidate) => candidate.name === name)
  if (version !== undefined) return version
  throw new SetpointError('DEFINITION_INVALID', `${subjectOf(model)} has no version ${name}`, {
    hint: `it has ${model.versions.map((candidate) => candidate.name).join(', ')}`,
  })
}
