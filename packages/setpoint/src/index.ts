/**
 * setpoint: define a Kubernetes resource once, run the loop that keeps it true.
 *
 * The list below is the whole public surface of the package's main entry; a snapshot test makes an
 * addition a decision. Built-in kinds are in `setpoint/kinds`, the door to the world in
 * `setpoint/host`, the engine for structural schemas in `setpoint/schema`, and what only tests need
 * in `setpoint/testing`.
 */
export {
  atomic,
  defineResource,
  duration,
  embeddedResource,
  immutable,
  intOrString,
  listMap,
  listSet,
  maxProperties,
  minProperties,
  preserveUnknownFields,
  quantity,
  rule,
  type AnyResourceDefinition,
  type ColumnOptions,
  type ConversionResult,
  type ConversionSource,
  type CrdOptions,
  type EmbeddedResource,
  type InferManifest,
  type InferVersion,
  type MetadataChange,
  type ParsedResource,
  type ParseIssue,
  type ParseResult,
  type ResourceCondition,
  type ResourceDefinition,
  type ResourceManifest,
  type ResourceNames,
  type ResourceObject,
  type ResourceOptions,
  type ResourceTypes,
  type Rule,
  type ScaleOptions,
  type VersionOptions,
} from './definition/index.ts'
export {
  errorCodes,
  isSetpointError,
  SetpointError,
  type ErrorCode,
  type SetpointErrorOptions,
} from './errors/index.ts'
export {
  GiveUpError,
  RetryLaterError,
  type Duration,
  type Outcome,
  type Reason,
  type RunReport,
} from './controller/index.ts'
export {
  operator,
  Operator,
  rbacFor,
  when,
  type AnyOperator,
  type ChildContext,
  type ChildOptions,
  type DeleteContext,
  type Desired,
  type Frozen,
  type LiveChildren,
  type OperatorDeclaration,
  type OperatorOptions,
  type PolicyRule,
  type RecordedEvent,
  type ReconcileContext,
  type StatedCondition,
  type StatedStatus,
} from './operator/index.ts'
export { MetricsRegistry, type Counter, type Gauge, type Histogram } from './metrics/index.ts'
export { start, type RunningOperators, type StartOptions } from './start/index.ts'
export type { InferResource, Kind, Scope } from './kinds/kind.ts'
export type { ObjectMeta, StoredMetadata } from './kinds/metadata.ts'
export type { CrdManifest, StructuralSchema, ValidationRule } from './schema/index.ts'
