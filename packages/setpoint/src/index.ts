/**
 * setpoint: define Kubernetes resources, and run operators that reconcile them.
 *
 * The list below is the whole public API of the package's main entry; a snapshot test fails when it
 * changes. Built-in kinds are in `setpoint/kinds`, time, network and files in `setpoint/host`, the
 * functions for structural schemas in `setpoint/schema`, and helpers for tests in
 * `setpoint/testing`.
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
  type ControllerActivity,
  type RunReport,
} from './controller/index.ts'
export {
  absent,
  cronSchedule,
  present,
  template,
  zoneOffset,
  type Backoff,
  type CronSchedule,
  type DaemonOptions,
  type Diff,
  type DiffEntry,
  type HandlerDeclaration,
  type HandlerOptions,
  type IndexAccess,
  type IndexDeclaration,
  type IndexMap,
  type ObjectEvent,
  type ObjectFilters,
  type ObjectIndex,
  type RetryOptions,
  type TaskOptions,
  type TemplateValues,
  type TimerSchedule,
  type ValueFilter,
  type ZoneOffset,
} from './handlers/index.ts'
export {
  operator,
  Operator,
  rbacFor,
  when,
  type AnyOperator,
  type CacheView,
  type ChildContext,
  type ChildOptions,
  type ChildSet,
  type ChildSetOptions,
  type CheckedField,
  type DeletionPolicy,
  type Desired,
  type DesiredSet,
  type EssenceOf,
  type FieldAt,
  type Frozen,
  type HandlerContext,
  type HandlerResult,
  type LiveChildren,
  type ObjectsWhere,
  type OperatorDeclaration,
  type OperatorOptions,
  type OwnedDeletion,
  type PolicyRule,
  type RecordedEvent,
  type ReconcileContext,
  type StatedCondition,
  type StatedStatus,
  type TaskContext,
  type UpdateContext,
  type WatchedChange,
  type WatchOptions,
} from './operator/index.ts'
export type { HttpSourceRequest } from './sources/index.ts'
export { LiveNamespaces, type Namespaces } from './cache/index.ts'
export {
  MetricsRegistry,
  type Counter,
  type Gauge,
  type Histogram,
  type SharedRegistry,
} from './metrics/index.ts'
export type { Logger, LogLevel, LogFn } from './log/index.ts'
export {
  crdDifferences,
  leaseName,
  run,
  start,
  type RunningOperators,
  type RunOptions,
  type StartOptions,
} from './start/index.ts'
export type { InferResource, Kind, Scope } from './kinds/kind.ts'
export type { ObjectMeta, StoredMetadata } from './kinds/metadata.ts'
export type { CrdManifest, StructuralSchema, ValidationRule } from './schema/index.ts'
