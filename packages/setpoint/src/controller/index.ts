/**
 * controller/: from changes to keys, from keys to reconciles.
 *
 * A `Controller` subscribes to caches, maps every change to keys, and reconciles them: one
 * reconcile per key at a time, with a deadline and with its reasons. Operators are built on it; it
 * does not depend on children or status.
 *
 * The echo of an own write causes no reconcile. A reconcile sees the writes of the one before it. A
 * reconcile that fails or hangs stops neither the process nor other keys.
 */
export { Controller, type Run } from './controller.ts'
export type { Duration } from '../host/index.ts'
export { GiveUpError, RetryLaterError, type Outcome } from './outcome.ts'
export type { WriteScope } from './own-writes.ts'
export type { Reason } from './reason.ts'
export type { ControllerActivity, RunReport } from './run-report.ts'
