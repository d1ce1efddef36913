/**
 * workloads/quota/: what quotas say about the use of their namespaces.
 *
 * `quotaController` fills `status.hard` and `status.used`, at once for a new quota or new limits, and again when something
 * that is limited is gone or has ended; everything every five minutes. How objects count is shared with admission, in
 * quota/. The garbage collector, which watches all kinds, tells `QuotaFeed` what is gone.
 *
 * Promises: usage is counted from what the server has, never from a cache that is older than what admission has charged.
 */
export { quotaController } from './quota-controller.ts'
export { QuotaFeed } from './quota-feed.ts'
