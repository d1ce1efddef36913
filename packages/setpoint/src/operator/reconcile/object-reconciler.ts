import { keyOf } from '../../cache/index.ts'
import { isApiError } from '../../client/index.ts'
import { GiveUpError, type Outcome, RetryLaterError, type Run } from '../../controller/index.ts'
import { isSetpointError } from '../../errors/index.ts'
import { checkedObject } from '../../handlers/checked-object.ts'
import type { Handled } from '../../handlers/handler-run.ts'
import { durationMs } from '../../host/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import type { Logger } from '../../log/index.ts'
import { ChildReconciler } from '../children/child-reconciler.ts'
import type { Prepared } from '../children/desired-members.ts'
import { OwnedChildren } from '../children/owned-children.ts'
import type { ReconcileContext } from '../declare/contexts.ts'
import type { StatedFields } from '../declare/operator-declaration.ts'
import { isNotFound, ReconcileErrors } from '../failures/reconcile-errors.ts'
import { plainManifest } from '../manifest/plain-manifest.ts'
import type { FreshOwner } from '../owner/owner-freshness.ts'
import { OwnerState } from '../owner/owner-state.ts'
import { ownerView } from '../owner/owner-view.ts'
import { patchesOwner } from '../owner/patches-owner.ts'
import { isPaused } from '../owner/pause.ts'
import { ObjectRunbooks } from '../runbooks/object-runbooks.ts'
import { observeMs, StatusDraft } from '../status/status-draft.ts'
import { ObjectWriter } from '../write/object-writer.ts'
import type { OperatorServices } from './operator-services.ts'
import { reconcileContext } from './reconcile-context.ts'
import { taskContext } from './task-context.ts'

/** One reconcile of one object: finalizer, children, pruning, handlers, `.reconcile`, status. */
export class ObjectReconciler {
  readonly #services: OperatorServices
  readonly #owner: OwnerState
  readonly #run: Run
  readonly #log: Logger
  readonly #fresh: FreshOwner
  readonly #writer: ObjectWriter
  readonly #owned: OwnedChildren
  readonly #children: ChildReconciler
  readonly #status: StatusDraft
  /** The errors of parts that failed while the others continued. */
  readonly #errors: ReconcileErrors
  #finalizerAdded: Promise<boolean> | undefined
  #handled: Handled | undefined
  /** The time at which the parts that did not fail ask to be reconciled again. */
  #outcome: Outcome
  #lazyContext: ReconcileContext | undefined

  constructor(services: OperatorServices, observed: ApiResource, run: Run) {
    const owner = new OwnerState(observed)
    this.#services = services
    this.#owner = owner
    this.#run = { ...run, wrote: (...write) => this.#recordWrite(run, write) }
    this.#log = services.log.child({ key: run.key, run: run.id })
    // After a conflict all parts are reconciled again. For a deleted object nothing is left to do.
    this.#errors = new ReconcileErrors(
      run,
      (error) => isApiError(error, 'API_CONFLICT') || this.#isNotFound(error),
    )
    const fresh = services.freshness.of(owner, run)
    this.#fresh = fresh
    const writer = new ObjectWriter({ ...services, run: this.#run, fresh })
    this.#writer = writer
    this.#owned = new OwnedChildren({ ...services, owner: observed, writer, run })
    this.#children = new ChildReconciler({
      ...services,
      owner,
      writer,
      run,
      owned: this.#owned,
      addFinalizer: async () => this.#addFinalizer(),
      isStillCurrent: fresh.isCurrent,
    })
    this.#status = new StatusDraft({
      ...services,
      owner,
      run: this.#run,
      log: this.#log,
      fresh,
      children: this.#children,
      failed: () => ({ error: this.#errors.all, handlersFailure: this.#handlersFailure() }),
    })
  }

  /** Reconciles the object. An error that is thrown has been reported. */
  async reconcile(): Promise<Outcome> {
    const { observed } = this.#owner
    try {
      return isTerminating(observed) ? await this.#reconcileTerminating() : await this.#reconcile()
    } catch (error) {
      // It was deleted during the reconcile. The watch event of the deletion enqueues it again.
      if (this.#isNotFound(error)) return undefined
      await this.#status.reportFailure(error)
      return outcomeAfter(error, this.#outcome)
    }
  }

  /**
   * Removes the finalizer of a deselected object, and its children that have no owner reference.
   */
  async release(): Promise<void> {
    await this.#owned.deleteUnreferenced()
    await this.#services.finalizer.remove(this.#owner.observed, this.#run)
  }

  async #reconcile(): Promise<Outcome> {
    const { declaration, handlers } = this.#services
    const owner = this.#owner
    if (isPaused(owner.observed, declaration)) {
      await handlers.end(keyOf(owner.observed.metadata))
      return undefined
    }
    owner.valid = this.#validated()
    if (handlers.needsFinalizer(owner.valid)) await this.#addFinalizer()
    handlers.startTasks(owner.valid)
    const errors = this.#errors
    // Before the children, whose functions may depend on the state of a run.
    const runbooksOutcome = await errors.attempt(async () => this.#advanceRunbooks())
    await errors.attempt(async () => {
      await this.#children.apply(await this.#prepared())
      await this.#children.prune()
      await this.#releaseUnneeded()
    })
    await errors.attempt(async () => this.#handle())
    const outcome = await errors.attempt(async () =>
      earliest(await declaration.reconcile?.(owner.valid, this.#context)),
    )
    const recheck = this.#children.needsRecheck ? { recheckAfter: observeMs } : undefined
    const handled = { recheckAfter: this.#handled?.waitMs }
    this.#outcome = earliest(outcome, recheck, handled, runbooksOutcome)
    const statusOutcome = await errors.attempt(async () => this.#status.write(this.#authored()))
    errors.end()
    return earliest(this.#outcome, statusOutcome)
  }

  /** The results of the functions of `.prepare`. */
  async #prepared(): Promise<Prepared> {
    const { declaration } = this.#services
    const results = new Map<unknown, unknown>()
    try {
      for (const run of declaration.preparations) {
        results.set(run, await run(this.#owner.valid, this.#context))
      }
    } catch (error) {
      this.#children.keep()
      throw error
    }
    return results
  }

  /**
   * Removes a finalizer that no cleanup, daemon or child needs any more: filters no longer match,
   * or an earlier version of the operator needed it.
   */
  async #releaseUnneeded(): Promise<void> {
    const { declaration, finalizer, handlers } = this.#services
    const { observed, valid } = this.#owner
    const mayRelease = this.#finalizerAdded === undefined && patchesOwner(declaration)
    if (!mayRelease || !finalizer.isOn(observed)) return
    if (handlers.needsFinalizer(valid) || this.#children.needsFinalizer) return
    if (await this.#owned.areUncollected()) return
    await handlers.whenEnded(keyOf(observed.metadata))
    await finalizer.release(observed, this.#run)
  }

  async #reconcileTerminating(): Promise<Outcome> {
    const { declaration, handlers, runbooks } = this.#services
    const { observed } = this.#owner
    runbooks.tasks.end(keyOf(observed.metadata))
    await handlers.end(keyOf(observed.metadata))
    if (isPaused(observed, declaration)) return undefined
    const outcome = await this.#cleanUp()
    if (outcome !== undefined || declaration.options.reconcileDeleting !== true) return outcome
    return declaration.reconcile?.(observed, this.#context)
  }

  async #cleanUp(): Promise<Outcome> {
    const { finalizer } = this.#services
    const { observed } = this.#owner
    if (!finalizer.isOn(observed)) return undefined
    const handled = finalizer.isCleanedUp(observed) ? undefined : await this.#callCleanups()
    if (handled?.waitMs !== undefined) return { recheckAfter: handled.waitMs }
    finalizer.recordCleanup(observed)
    if (await this.#owned.deleteAll()) await finalizer.remove(observed, this.#run)
    else await handled?.note?.()
    return undefined
  }

  async #callCleanups(): Promise<Handled> {
    const { handlers, failureEvents } = this.#services
    const { observed: object } = this.#owner
    const [run, log, context] = [this.#run, this.#log, this.#context]
    const checkFresh = this.#fresh.check
    const handled = await handlers.run({ object, run, log, context, checkFresh })
    for (const error of handled.thrown) {
      if (handled.waitMs === undefined)
        await failureEvents.record(object, error.message, run.signal)
      else await this.#status.reportFailure(error)
    }
    return handled
  }

  /** Starts, continues and ends the runs of runbooks. */
  async #advanceRunbooks(): Promise<Outcome> {
    const { declaration, runbooks, caches, handlers } = this.#services
    if (declaration.runbooks.length === 0) return undefined
    const { key, signal } = this.#run
    const [owner, log] = [this.#owner, this.#log]
    const object = new ObjectRunbooks({
      ...this.#services,
      runbooks: declaration.runbooks,
      tasks: runbooks.tasks,
      owner,
      run: this.#run,
      fresh: this.#fresh,
      context: () => this.#context,
      contextOf: (of, stepSignal) => ({
        ...taskContext(this.#services, of, stepSignal),
        ...handlers.access,
      }),
      current: () => {
        const found = caches.resource.get(key) as ApiResource | undefined
        const isSame = found?.metadata.uid === owner.observed.metadata.uid
        return isSame ? checkedObject(declaration.definition, found).object : undefined
      },
      trigger: (why) => runbooks.trigger(key, why),
      report: async (report) => runbooks.report(owner.observed, report, { log, signal }),
    })
    return object.reconcile()
  }

  /** Calls the handlers that are due. Their results become part of the object. */
  async #handle(): Promise<void> {
    const { declaration, handlers, failureEvents } = this.#services
    if (declaration.handlers.length === 0) return
    const { observed, valid: object } = this.#owner
    const [run, log, context] = [this.#run, this.#log, this.#context]
    const checkFresh = this.#fresh.check
    const handled = await handlers.run({ object, run, log, context, checkFresh })
    this.#handled = handled
    for (const { message } of handled.thrown) {
      await failureEvents.record(observed, message, run.signal)
    }
    this.#owner.valid = handled.object
  }

  /** The failures of handlers, and of daemons and timers, which run outside of reconciles. */
  #handlersFailure(): string | undefined {
    const tasks = this.#services.handlers.taskFailureOf(this.#run.key)
    const failures = [this.#handled?.failure, tasks].filter((text) => text !== undefined)
    return failures.length === 0 ? undefined : failures.join('; ')
  }

  /** The object with its defaults. An invalid object is refused, and no retry can help. */
  #validated(): ApiResource {
    const { declaration, handlers } = this.#services
    const { observed } = this.#owner
    const { object, problems } = checkedObject(declaration.definition, observed)
    if (object !== undefined) return object
    const key = keyOf(observed.metadata)
    void handlers.end(key)
    throw new GiveUpError(`${observed.kind} ${key} is invalid: ${problems.join('; ')}`)
  }

  /** The result of `.status`. */
  #authored(): StatedFields | undefined {
    const { declaration, caches } = this.#services
    const { valid, observed } = this.#owner
    const view = ownerView(observed.metadata.namespace, caches)
    const stated = declaration.status?.(valid, this.#children.live, view)
    if (declaration.status === undefined) return undefined
    return plainManifest(stated, `the status of ${valid.kind} ${keyOf(valid.metadata)}`)
  }

  /** The context of the author's functions, created when the first of them needs it. */
  get #context(): ReconcileContext {
    const { handlers } = this.#services
    this.#lazyContext ??= {
      ...reconcileContext({
        ...this.#services,
        run: this.#run,
        log: this.#log,
        owner: this.#owner.observed,
        writer: this.#writer,
        status: this.#status,
      }),
      ...handlers.access,
    }
    return this.#lazyContext
  }

  #recordWrite(run: Run, [cache, written, scope]: Parameters<Run['wrote']>): void {
    const { observed } = this.#owner
    this.#owner.recordWrite(written)
    // Handlers are called for the change in the reconcile that the watch event of this write
    // triggers.
    const isForHandlers =
      written.metadata.uid === observed.metadata.uid &&
      'kind' in written &&
      this.#services.handlers.hasEssenceChanged(observed, written as ApiResource)
    run.wrote(cache, written, isForHandlers ? [] : scope)
  }

  /** Adds the finalizer once in a reconcile. Returns whether this reconcile added it. */
  async #addFinalizer(): Promise<boolean> {
    this.#finalizerAdded ??= this.#services.finalizer.add(this.#owner.observed, this.#run)
    return this.#finalizerAdded
  }

  #isNotFound(error: unknown): boolean {
    return isNotFound(this.#owner.observed, this.#services.declaration.kind, error)
  }
}

/** The earliest time at which a part asks to be reconciled again. */
function earliest(...outcomes: readonly Outcome[]): Outcome {
  const timesMs = outcomes
    .flatMap((outcome) => outcome?.recheckAfter ?? [])
    .map((after) => durationMs(after, 'recheckAfter'))
  return timesMs.length === 0 ? undefined : { recheckAfter: Math.min(...timesMs) }
}

/** Rethrows an error, unless another part asks to be reconciled before the retry. */
function outcomeAfter(error: unknown, outcome: Outcome): Outcome {
  if (outcome?.recheckAfter === undefined) throw error
  const recheckMs = durationMs(outcome.recheckAfter, 'recheckAfter')
  const retryMs = error instanceof RetryLaterError ? (error.afterMs ?? 0) : 0
  if (isSetpointError(error, 'GIVE_UP') || retryMs > recheckMs) return { recheckAfter: recheckMs }
  throw error
}
