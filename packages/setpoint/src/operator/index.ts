/**
 * operator/: what an author writes, and what makes it true.
 *
 * `operator(Kind)` begins a declaration; `.child`, `.status`, `.onDelete`, `.reconcile` and the others add to it.
 * It is a value that does nothing by itself: `start/` runs it, tests and tools look at it. `OwnerRun` is one run for one
 * object: finalizer, children, pruning, handlers, reconcile, status, in that order.
 *
 * It promises that a steady state costs no request, that nothing is created for an object that is being deleted, that
 * only what the operator owns is removed, and that a hand that changes a child, its labels or the status is corrected.
 */
export type {
  CacheView,
  ChildContext,
  DeleteContext,
  ObjectsWhere,
  OwnerView,
  OwnedDeletion,
  ReconcileContext,
} from './contexts.ts'
export type {
  CheckedField,
  EssenceOf,
  FieldAt,
  HandlerContext,
  HandlerResult,
  TaskContext,
  UpdateContext,
} from './handler-contexts.ts'
export type { IncomingWebhook, WebhookDeclaration } from './incoming-webhook.ts'
export { keysIn } from './keys-in.ts'
export type { RecordedEvent } from './recorded-event.ts'
export type { ChildOptions, ChildSetOptions, DesiredSet } from './child-options.ts'
export { operator, Operator } from './operator.ts'
export type { OperatorOptions } from './operator-options.ts'
export type { AnyOperator, OperatorDeclaration } from './operator-declaration.ts'
export type { WatchedChange, WatchOptions } from './watch-options.ts'
export type {
  ChildSet,
  DeletionPolicy,
  Desired,
  Frozen,
  LiveChildren,
  StatedCondition,
  StatedStatus,
} from './operator-types.ts'
export { rbacFor, type PolicyRule } from './rbac-for.ts'
export { OperatorRuntime } from './operator-runtime.ts'
export { when } from './when.ts'
