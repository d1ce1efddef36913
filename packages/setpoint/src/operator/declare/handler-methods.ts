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
import { declaredHandler, type WrittenHandler } from '../../handlers/declare/declare-handler.ts'
import type { Kind } from '../../kinds/kind.ts'
import type {
  CheckedField,
  EssenceOf,
  FieldAt,
  HandlerContext,
  ResultOf,
  TaskContext,
  UpdateContext,
} from './handler-contexts.ts'
import type { DeleteContext } from './contexts.ts'
import type { OperatorDeclaration } from './operator-declaration.ts'
import type { OwnerOf } from './operator-types.ts'

/** The declarations of handlers: functions that are called when something happens to an object. */
export abstract class HandlerMethods<
  D extends Kind,
  Owned extends Kind,
  Read extends Kind,
  Indexes extends IndexMap,
> {
  /** Everything that was declared, for those who run, test or show it. */
  abstract readonly declaration: OperatorDeclaration

  /** The same operator with one declaration more. */
  protected abstract also(change: Partial<OperatorDeclaration>): this

  /**
   * Called once for every new object, and again only if it fails. What it returns is kept in the status, under its id.
   * Objects that existed before the operator are new to it, too.
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

  /** Called when what people say about an object has changed: anything but its status. */
  onUpdate<const Id extends string>(
    run: (
      owner: OwnerOf<D>,
      context: UpdateContext<EssenceOf<D>, EssenceOf<D>, Read, Owned, Indexes>,
    ) => Promise<ResultOf<D, Id>>,
    options?: HandlerOptions<OwnerOf<D>, Id>,
  ): this {
    return this.#handler({ on: 'update', run, options })
  }

  /** Called when one field of an object has changed; what it gets is about this field alone. */
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
    // Its filters are about the same field.
    return this.#handler({ on: 'update', run, field, options: { ...options, field } })
  }

  /** Called once by every process for every object that existed when it began, or when its namespace was added. */
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
   * What must happen before an object is gone. A finalizer keeps those it is for until it succeeded: it is called at least
   * once, and again after a failure, with a backoff from `1s` to `5m` unless given; the next one after it succeeded. After
   * its `retries` the object is let go, with an Event that says so.
   */
  onDelete(
    cleanUp: (
      owner: OwnerOf<D>,
      context: DeleteContext<Read, Owned, D> & IndexAccess<Indexes>,
    ) => Promise<void>,
    options?: TaskOptions<OwnerOf<D>>,
  ): this {
    const { cleanUps } = this.declaration
    const declaring = { ...this.declaration, handlers: cleanUps }
    const step = declaredHandler(declaring, { on: 'delete', run: cleanUp, options })
    return this.also({ cleanUps: [...cleanUps, step] })
  }

  /**
   * Called with everything a watch says, own writes included: for logs and counters. Nothing is remembered: a failure is
   * logged, what happens while the process is not there is not told, and of an object that changes faster than this returns only
   * the latest events are. It may take five minutes unless `timeout` says otherwise.
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
   * Called again and again for every object: `30s`, `*\/5 * * * *`, or more about when. Never twice at the same time. With
   * an hour or more between two times it goes on where it was after a restart.
   */
  every(
    schedule: TimerSchedule['every'] | TimerSchedule,
    run: (owner: OwnerOf<D>, context: TaskContext<D, Read, Owned, Indexes>) => Promise<void>,
    options?: TaskOptions<OwnerOf<D>>,
  ): this {
    return this.#handler({ on: 'timer', run, options, schedule })
  }

  /**
   * A task that lives as long as its object. Its signal is aborted when the object is deleted, when the process ends and
   * when it no longer is for this object; a deletion waits for it. It is begun again when it throws.
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
