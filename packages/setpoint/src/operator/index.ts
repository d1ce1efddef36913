/**
 * operator/: the API that operator authors use, and its implementation.
 *
 * `operator(Kind)` begins a declaration; `.child`, `.status`, `.onDelete`, `.reconcile` and the
 * others add to it. A declaration is a value that does nothing by itself: `start/` runs it, tests
 * and tools read it. The folders, from the bottom: declare, owner, failures, manifest, write,
 * children, status, reconcile.
 *
 * It promises that a steady state costs no request, that nothing is created for a terminating
 * object, that only objects the operator owns are deleted, and that drift of a child, its labels or
 * the status is corrected.
 */
export type {
  CacheView,
  ChildContext,
  PrepareContext,
  FollowedObjects,
  ObjectsWhere,
  OwnedDeletion,
  ReconcileContext,
} from './declare/contexts.ts'
export type {
  CheckedField,
  EssenceOf,
  FieldAt,
  HandlerContext,
  HandlerResult,
  TaskContext,
  UpdateContext,
} from './declare/handler-contexts.ts'
export type { RecordedEvent } from '../events/index.ts'
export type { ChildOptions, ChildSetOptions, DesiredSet } from './declare/child-options.ts'
export type {
  ObjectStepOptions,
  Step,
  StepBuilder,
  StepOptions,
  StepRetries,
  WaitOptions,
} from './declare/runbooks/step.ts'
export type { StepContext, StepView } from './declare/runbooks/step-context.ts'
export type {
  CheckedRunbook,
  RunbookNames,
  RunbookOptions,
  RunbookTrigger,
} from './declare/runbooks/runbook-options.ts'
export { serveApi } from './declare/serve-api.ts'
export { hasReconcile } from './declare/has-reconcile.ts'
export { operator, Operator } from './declare/operator.ts'
export type { OperatorOptions } from './declare/operator-options.ts'
export type {
  AnyOperator,
  DynamicKindsOptions,
  OperatorDeclaration,
  ServedApi,
} from './declare/operator-declaration.ts'
export type { WatchedChange, WatchOptions } from './declare/watch-options.ts'
export type {
  ChildSet,
  DeletionPolicy,
  Desired,
  Frozen,
  LiveChildren,
  StatedCondition,
  StatedStatus,
} from './declare/operator-types.ts'
export { rbacFor, type PolicyRule } from './rbac-for.ts'
export { OperatorRuntime } from './reconcile/operator-runtime.ts'
export { rolloutOn, type RolloutSource } from './declare/rollout-on.ts'
export { when } from './declare/when.ts'
