import type { Namespaces } from '../../cache/index.ts'
import type { Duration } from '../../host/index.ts'
import type { QueueOptions } from '../../queue/index.ts'

/** How an operator works; everything has a default. */
export interface OperatorOptions {
  /** What it is called in logs, metrics and as the owner of fields; the plural and group of its resource by default. */
  readonly name?: string
  /** How many objects are worked on at the same time. */
  readonly concurrency?: number
  /** How long one reconcile of an object may take; `5m` unless given. Then its signal is aborted and it counts as failed. */
  readonly timeout?: Duration
  /** Only objects in these namespaces: by name, by label (`{ labelSelector: 'team=a' }`), or a set that you change. */
  readonly namespaces?: Namespaces
  /** Only objects with these labels. */
  readonly labelSelector?: string | Readonly<Record<string, string>>
  readonly queue?: QueueOptions
  /** Who owns the fields that are written; the operator's name unless given. */
  readonly fieldManager?: string
  /** Who reports in Events; the operator's name unless given. */
  readonly eventSource?: string
  /** `false` leaves failed runs to the log, for operators whose Events are a matter between them and their users. */
  readonly failureEvents?: boolean
  /** Call `.reconcile` also for objects that are being deleted: for operators that have a part in it. */
  readonly reconcileDeleting?: boolean
  /** `false` serves objects that somebody paused, too: for what belongs to a cluster itself. */
  readonly pausable?: boolean
}
