/**
 * queue/: the keys to reconcile.
 *
 * `WorkQueue` takes keys with their reasons and hands them to workers. It does not depend on
 * objects: controllers fill and empty it.
 *
 * A key is never processed twice at the same time. Additions during a reconcile cause exactly one
 * more. Dropped reasons are counted. Failing keys back off without delaying other keys.
 */
export type { QueueOptions } from './queue-options.ts'
export { WorkQueue, type Work, type WorkOutcome } from './work-queue.ts'
