import { declaredHandler, type WrittenHandler } from '../../handlers/declare/declare-handler.ts'
import {
  type DaemonOptions,
  type FieldPath,
  type HandlerOptions,
  type IndexAccess,
  type IndexMap,
  type ObjectEvent,
  type TaskOptions,
  type TimerSchedule,
} from '../../handlers/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { AdmissionMethods } from './admission-methods.ts'
import type { ReconcileContext } from './contexts.ts'
import type {
  CheckedField,
  EssenceOf,
  FieldAt,
  HandlerContext,
  ResultOf,
  TaskContext,
  UpdateContext,
} from './handler-contexts.ts'
import type { OwnerOf } from './operator-types.ts'

/** The methods that declare handlers. */
export abstract class HandlerMethods<
  D extends Kind,
  Owned extends Kind,
  Read extends Kind,
  Indexes extends IndexMap,
> extends AdmissionMethods<D> {
  /**
   * Calls a handler once for every new object, and again if it fails. Its result is stored in the
   * status, in the field with its id. Objects that existed before the operator are new, too.
   */
  onCreate<const Id extends string>(
    run: (
      owner: OwnerOf<D>,
      context: HandlerContext<Read, Owned, Indexes>,
    ) => Promise<ResultOf<D, Id>>,
    options?: HandlerOptions<OwnerOf<D>, Id>,
  ): this {
    return this.#handler({ on: 'create', run, options })
  }

  /** Calls a handler when an object changed in any field that users write, not in the status. */
  onUpdate<const Id extends string>(
    run: (
      owner: OwnerOf<D>,
      context: UpdateContext<EssenceOf<D>, EssenceOf<D>, Read, Owned, Indexes>,
    ) => Promise<ResultOf<D, Id>>,
    options?: HandlerOptions<OwnerOf<D>, Id>,
  ): this {
    return this.#handler({ on: 'update', run, options })
  }

  /** Calls a handler when a field changed. `old`, `new` and `diff` are those of the field. */
  onField<
    const Path extends FieldPath,
    Value = FieldAt<OwnerOf<D>, Path>,
    const Id extends string = string,
  >(
    field: Path & CheckedField<OwnerOf<D>, Path>,
    run: (
      owner: OwnerOf<D>,
      context: UpdateContext<Value, Value | undefined, Read, Owned, Indexes>,
    ) => Promise<ResultOf<D, Id>>,
    options?: Omit<HandlerOptions<OwnerOf<D>, Id>, 'field'>,
  ): this {
    // The filters `value`, `old` and `new` apply to the same field.
    return this.#handler({ on: 'update', run, field, options: { ...options, field } })
  }

  /**
   * Calls a handler once per process for every object that existed when the process started, or
   * when its namespace was added.
   */
  onResume<const Id extends string>(
    run: (
      owner: OwnerOf<D>,
      context: HandlerContext<Read, Owned, Indexes>,
    ) => Promise<ResultOf<D, Id>>,
    options?: TaskOptions<OwnerOf<D>, Id>,
  ): this {
    return this.#handler({ on: 'resume', run, options })
  }

  /**
   * Declares a cleanup: it is called before an object is deleted. A finalizer keeps the object
   * until the cleanup succeeded. It is called at least once, and again after a failure, with a
   * backoff from `1s` to `5m` unless given. Several cleanups run one after the other. When its
   * `retries` are used up, the finalizer is removed and an Event is recorded.
   */
  onDelete(
    cleanUp: (
      owner: OwnerOf<D>,
      context: ReconcileContext<Read, Owned, D> & IndexAccess<Indexes>,
    ) => Promise<void>,
    options?: TaskOptions<OwnerOf<D>>,
  ): this {
    const { cleanUps } = this.declaration
    const declaring = { ...this.declaration, handlers: cleanUps }
    const step = declaredHandler(declaring, { on: 'delete', run: cleanUp, options })
    return this.also({ cleanUps: [...cleanUps, step] })
  }

  /**
   * Calls a function for every watch event, including those of own writes, for logs and counters.
   * It has no retries and no memory: failures are logged, and events while the process is not
   * running are lost. If an object changes faster than the function returns, only its latest events
   * are delivered. The `timeout` is `5m` unless given.
   */
  onEvent(
    run: (
      event: ObjectEvent<OwnerOf<D>>,
      context: Omit<HandlerContext<Read, Owned, Indexes>, 'attempt' | 'reasons'>,
    ) => Promise<void>,
    options?: Pick<TaskOptions<OwnerOf<D>>, 'id' | 'labels' | 'annotations' | 'filter' | 'timeout'>,
  ): this {
    return this.#handler({ on: 'event', run, options })
  }

  /**
   * Calls a function periodically for every object: every `30s`, by the cron expression `*\/5 * * *
   * *`, or by a `TimerSchedule`. Calls for an object never overlap. A timer with an interval of an
   * hour or more continues after a restart.
   */
  every(
    schedule: TimerSchedule['every'] | TimerSchedule,
    run: (owner: OwnerOf<D>, context: TaskContext<D, Read, Owned, Indexes>) => Promise<void>,
    options?: TaskOptions<OwnerOf<D>>,
  ): this {
    return this.#handler({ on: 'timer', run, options, schedule })
  }

  /**
   * Runs a function as long as its object exists. Its signal is aborted when the object is deleted,
   * when the process stops and when its filters no longer match. A finalizer makes a deletion wait
   * for it. It is started again after it throws.
   */
  daemon(
    run: (owner: OwnerOf<D>, context: TaskContext<D, Read, Owned, Indexes>) => Promise<void>,
    options?: DaemonOptions<OwnerOf<D>>,
  ): this {
    return this.#handler({ on: 'daemon', run, options })
  }

  #handler(written: WrittenHandler): this {
    const { handlers } = this.declaration
    return this.also({ handlers: [...handlers, declaredHandler(this.declaration, written)] })
  }
}
