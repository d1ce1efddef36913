/**
 * queue/: what is to be done, one entry per key.
 *
 * `WorkQueue` takes keys with the reasons that made them due and hands them to workers, one run per key at a time.
 * It knows nothing of objects; controllers fill and empty it.
 *
 * It promises that a key is never run twice at once, that whatever is added during a run causes exactly one more,
 * that no reason is lost silently, and that failing keys wait longer each time without holding up others.
 */
export type { QueueOptions } from './queue-options.ts'
export { WorkQueue, type Work, type WorkOutcome } from './work-queue.ts'
