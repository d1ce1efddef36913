import type { Namespaces } from '../../cache/index.ts'
import type { Duration } from '../../host/index.ts'
import type { QueueOptions } from '../../queue/index.ts'

/** Options of `operator`. All have defaults. */
export interface OperatorOptions {
  /**
   * Its name in logs, in metrics, as field manager, and on objects: finalizers, children and the
   * memory of handlers carry it. That of its resource by default; required for a kind that the
   * program does not define, because other programs may serve that kind, too.
   */
  readonly name?: string
  /**
   * Names that the operator had before. It takes over the finalizers, children and handler memory
   * with these names. Remove a former name when no object carries it any more.
   */
  readonly formerNames?: readonly string[]
  /** How many objects are reconciled at the same time; 10 unless given. */
  readonly concurrency?: number
  /**
   * How long one reconcile of an object may take; `5m` unless given. Then its signal is aborted and
   * it counts as failed.
   */
  readonly timeout?: Duration
  /**
   * Only objects in these namespaces: names, `{ labelSelector: 'team=a' }`, or a `LiveNamespaces`
   * that you change.
   */
  readonly namespaces?: Namespaces
  /** Only objects with these labels. */
  readonly labelSelector?: string | Readonly<Record<string, string>>
  /** Backoff, fairness and how changes are collected. */
  readonly queue?: QueueOptions
  /** The field manager of its writes; the name of the operator unless given. */
  readonly fieldManager?: string
  /** The source of its Events; the name of the operator unless given. `false` records none. */
  readonly eventSource?: string | false
  /** `false` records no Events for failed reconciles; they are still logged. */
  readonly failureEvents?: boolean
  /**
   * `false` does not derive the Ready condition from children and failures: for a resource whose
   * Ready another program sets.
   */
  readonly setsReady?: boolean
  /** Call `.reconcile` for terminating objects, too. */
  readonly reconcileDeleting?: boolean
  /** `false` ignores the annotation `setpoint.dev/paused`: paused objects are reconciled, too. */
  readonly pausable?: boolean
}
