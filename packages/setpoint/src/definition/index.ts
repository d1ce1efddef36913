/**
 * definition/: everything that is derived from a zod schema.
 *
 * `defineResource` turns an author's zod schemas into the types, the CustomResourceDefinition, the
 * defaults and the validation of a resource. It is pure: no clock, no I/O, no registry. Operators,
 * the command line and tests use the value that it returns.
 *
 * zod and the generated schema accept the same values and give the same defaults. A schema that a
 * CRD cannot express is refused when the resource is defined.
 */
export type { CrdOptions } from './crd.ts'
export {
  defineResource,
  type AnyResourceDefinition,
  type ResourceDefinition,
} from './define-resource.ts'
export type { ParseIssue, ParseOptions, ParseResult } from './parse-resource.ts'
export type {
  ColumnOptions,
  ConversionResult,
  ConversionSource,
  MetadataChange,
  ResourceOptions,
  ScaleOptions,
  VersionOptions,
} from './options/resource-options.ts'
export type {
  InferManifest,
  InferVersion,
  ParsedResource,
  ResourceCondition,
  ResourceManifest,
  ResourceNames,
  ResourceObject,
  ResourceTypes,
} from './resource-types.ts'
export type {
  RunbookStatus,
  RunCause,
  RunState,
  RunSummary,
  StepState,
  StepStatus,
  WaitingRun,
} from './status/runbook-status.ts'
export {
  atomic,
  immutable,
  listMap,
  listSet,
  maxProperties,
  minProperties,
  rule,
  type PlainRule,
  type Rule,
} from './kubernetes-checks.ts'
export {
  duration,
  embeddedResource,
  intOrString,
  preserveUnknownFields,
  quantity,
  type EmbeddedResource,
} from './kubernetes-types.ts'
