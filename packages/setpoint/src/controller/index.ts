/**
 * controller/: from changes to keys, from keys to runs.
 *
 * A `Controller` subscribes to caches, maps every change to the keys it concerns, and runs them: one run per key at
 * a time, with a deadline, with the reasons that led to it. Operators are built on it; it knows nothing of children
 * or status.
 *
 * It promises that the echo of an own write causes no run, that a run sees what the one before it wrote, and that no
 * run, whatever it does, stops the process or the other keys.
 */
export { Controller, type Run } from './controller.ts'
export type { Duration } from '../host/index.ts'
export { GiveUpError, RetryLaterError, type Outcome } from './outcome.ts'
export type { WriteScope } from './own-writes.ts'
export type { Reason } from './reason.ts'
export type { ControllerActivity, RunReport } from './run-report.ts'
