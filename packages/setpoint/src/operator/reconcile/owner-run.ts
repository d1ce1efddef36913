import { keyOf, type KindCache } from '../../cache/index.ts'
import { type Client, isApiError } from '../../client/index.ts'
import type { Outcome, Run } from '../../controller/index.ts'
import { GiveUpError } from '../../controller/index.ts'
import { checkedObject } from '../../handlers/checked-object.ts'
import { headline } from '../../errors/index.ts'
import type { Handled } from '../../handlers/handler-run.ts'
import type { HandlerRuntime } from '../../handlers/handler-runtime.ts'
import { type Host, durationMs } from '../../host/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { Logger } from '../../log/index.ts'
import { ChildrenRun } from '../children/children-run.ts'
import type { ReconcileContext } from '../declare/contexts.ts'
import type { RecordedEvent } from '../declare/recorded-event.ts'
import {
  failureCondition,
  failureReason,
  type FailureReport,
  failureText,
} from '../status/failure-report.ts'
import type { Finalizer } from './finalizer.ts'
import { resultsIn, wholeStatus } from '../status/handler-status.ts'
import type {
  ApiResource,
  OperatorDeclaration,
  StatedFields,
} from '../declare/operator-declaration.ts'
import type { StatedCondition } from '../declare/operator-types.ts'
import { OwnedWriter } from '../write/owned-writer.ts'
import { ownerUidLabel } from '../manifest/ownership.ts'
import { plainManifest } from '../manifest/plain-manifest.ts'
import { ownerView, reconcileContext } from './reconcile-context.ts'
import { isGone, isPassing, RunErrors } from './run-errors.ts'
import { type Status, withKept } from '../status/shared-status.ts'
import type { StatusWriter } from '../status/status-writer.ts'
import { when } from '../declare/when.ts'

/** What one run of one object needs. */
interface OwnerRunOptions {
  readonly declaration: OperatorDeclaration
  readonly host: Host
  readonly client: Client
  readonly finalizer: Finalizer
  readonly statuses: StatusWriter
  readonly cacheOf: (kind: Kind) => KindCache
  /** What the object owns, of a kind. */
  readonly owned: (kind: Kind) => ApiResource[]
  readonly derivesReady: boolean
  readonly run: Run
  readonly log: Logger
  readonly owner: ApiResource
  readonly recordEvent: (event: RecordedEvent) => Promise<void>
  readonly handlers: HandlerRuntime
  readonly failures: FailureReport
}

/** An annotation that makes operators leave an object alone. */
const pauseAnnotation = 'setpoint.dev/paused'

/** One run: brings the world of one object closer to what it should be. */
export class OwnerRun {
  readonly #options: OwnerRunOptions
  readonly #writer: OwnedWriter
  readonly #children: ChildrenRun
  readonly #given: Run
  /** What failed so far, while the rest of the run goes on. */
  readonly #errors: RunErrors
  #finalizerAdded: Promise<boolean> | undefined
  /** Whether this run wrote the object itself: then its revision is not known any more. */
  #hasWrittenOwner = false
  /** Whether an author's function wrote the whole status in this run: then it is what the status says. */
  #hasUpdatedStatus = false
  /** Whether an author's function wrote the status beside a failure in Ready: whether that is over shows at the end. */
  #hasKeptFailure = false
  /** Whether the status was left with a Ready that may not be true any more: the next look decides. */
  #hasKeptReady = false
  #handled: Handled | undefined
  /** When to look again, whatever this run comes to. */
  #outcome: Outcome
  #contextMade: ReconcileContext | undefined

  constructor(options: OwnerRunOptions) {
    const { client, declaration, owner, cacheOf } = options
    const run: Run = { ...options.run, wrote: (...write) => this.#wrote(...write) }
    this.#options = { ...options, run }
    this.#given = options.run
    // After a lost race everything is looked at anew, and of what is gone nothing is left to do.
    this.#errors = new RunErrors(
      run,
      (error) => isApiError(error, 'API_CONFLICT') || isGone(owner, declaration.kind, error),
    )
    const fieldManager = declaration.options.fieldManager ?? declaration.options.name
    this.#writer = new OwnedWriter({ client, fieldManager, run, owner, cacheOf })
    const isStillCurrent = async (): Promise<boolean> => this.#isStillCurrent()
    const addFinalizer = async (): Promise<boolean> => this.#addFinalizer()
    this.#children = new ChildrenRun({
      ...this.#options,
      writer: this.#writer,
      isStillCurrent,
      addFinalizer,
      marked: async (kind) => this.#marked(kind),
    })
  }

  async go(): Promise<Outcome> {
    const { owner, declaration, handlers } = this.#options
    const isMarked = owner.metadata.annotations?.[pauseAnnotation] === 'true'
    const isPaused = isMarked && declaration.options.pausable !== false
    const isDeleted = owner.metadata.deletionTimestamp !== undefined
    if (isPaused || isDeleted) await handlers.end(keyOf(owner.metadata))
    if (isPaused) return undefined
    if (isDeleted) return this.#serveDeleted()
    const checked = this.#checked()
    if (handlers.holds(checked)) await this.#addFinalizer()
    handlers.keep(checked)
    const errors = this.#errors
    await errors.attempt(async () => {
      await this.#children.apply(checked)
      await this.#children.prune()
    })
    const handled = (await errors.attempt(async () => this.#handle(checked))) ?? checked
    const outcome = await errors.attempt(async () =>
      soonest(await declaration.reconcile?.(handled, { ...this.#context, ...handlers.access })),
    )
    const lookOutcome = this.#children.needsAnotherLook ? { recheckAfter: observeMs } : undefined
    this.#outcome = soonest(outcome, lookOutcome, { recheckAfter: this.#handled?.waitMs })
    const statusOutcome = await errors.attempt(async () => this.#writeStatus(handled))
    errors.end()
    return soonest(this.#outcome, statusOutcome)
  }

  /** Takes back what holds the object or could not be found without us: it is not ours any more. */
  async letGo(): Promise<void> {
    const { owner, finalizer, run } = this.#options
    await this.#children.removeElsewhere()
    await finalizer.remove(owner, run)
  }

  /** What an author's functions get; made when there is one. */
  get #context(): ReconcileContext {
    const updateStatus = async (status: object): Promise<void> => this.#updateStatus(status)
    this.#contextMade ??= reconcileContext({
      ...this.#options,
      writer: this.#writer,
      updateStatus,
    })
    return this.#contextMade
  }

  async #serveDeleted(): Promise<Outcome> {
    const { owner, declaration, handlers } = this.#options
    const outcome = await this.#cleanUp()
    if (outcome !== undefined || declaration.options.reconcileDeleting !== true) return outcome
    return declaration.reconcile?.(owner, { ...this.#context, ...handlers.access })
  }

  /** The object with what this run wrote into its status. */
  get live(): ApiResource {
    return { ...this.#options.owner, status: this.#writer.owner['status'] }
  }

  /** When something that did not fail wants to be looked at again, if it does. */
  get recheckMs(): number | undefined {
    const { recheckAfter } = this.#outcome ?? {}
    return recheckAfter === undefined ? undefined : durationMs(recheckAfter, 'recheckAfter')
  }

  /** What handlers failed with, in this run or before. */
  get handlersFailure(): string | undefined {
    return this.#handled?.failure
  }

  /** Calls the handlers that are due; the object then has what they returned. */
  async #handle(checked: ApiResource): Promise<ApiResource> {
    const { owner, declaration, handlers, failures, run, log } = this.#options
    if (declaration.handlers.length === 0) return checked
    const handled = await handlers.run({ object: checked, run, log, context: this.#context })
    this.#handled = handled
    for (const { message } of handled.thrown) await failures.record(owner, message, run.signal)
    return handled.object
  }

  #wrote(...write: Parameters<Run['wrote']>): void {
    const [cache, written] = write
    const { kind } = cache
    const { declaration, owner, handlers } = this.#options
    // The owner may be in two caches: one of all objects of its kind, and one of those that are served.
    const isOwner = kind.plural === declaration.kind.plural && kind.group === declaration.kind.group
    if (isOwner && keyOf(written.metadata) === keyOf(owner.metadata)) {
      this.#hasWrittenOwner = true
      // Of a deletion only the revision is known.
      if ('kind' in written) {
        this.#writer.follow(written as ApiResource)
        // The echo of it makes the run in which handlers hear of it.
        if (handlers.isNews(owner, written as ApiResource)) write = [cache, written, []]
      }
    }
    this.#given.wrote(...write)
  }

  /** Once in a run: the object of the run does not show it. Returns whether it was this run that did it. */
  async #addFinalizer(): Promise<boolean> {
    const { owner, finalizer, run } = this.#options
    this.#finalizerAdded ??= finalizer.add(owner, run)
    return this.#finalizerAdded
  }

  /** The object with its defaults, or a refusal that no retry can mend. */
  #checked(): ApiResource {
    const { owner, declaration, handlers } = this.#options
    const { object, problems } = checkedObject(declaration.definition, owner)
    if (object !== undefined) return object
    const key = keyOf(owner.metadata)
    // No function of the author gets what it cannot be.
    void handlers.end(key)
    throw new GiveUpError(`${owner.kind} ${key} is invalid: ${problems.join('; ')}`)
  }

  async #cleanUp(): Promise<Outcome> {
    const { owner, finalizer, handlers, failures, run, log } = this.#options
    if (!finalizer.isOn(owner)) return undefined
    const { thrown, waitMs, note } = await handlers.run({
      ...{ object: owner, run, log, context: this.#context },
    })
    for (const error of thrown) {
      if (waitMs === undefined) await failures.record(owner, error.message, run.signal)
      else await failures.tell(this.live, error, { run })
    }
    if (waitMs !== undefined) return { recheckAfter: waitMs }
    if (await this.#children.removeAll()) await finalizer.remove(owner, run)
    else await note?.()
    return undefined
  }

  async #marked(kind: Kind): Promise<ApiResource[]> {
    const { client, owner, run } = this.#options
    const labelSelector = { [ownerUidLabel]: owner.metadata.uid }
    return (await client.listAll(kind, { labelSelector, signal: run.signal })) as ApiResource[]
  }

  async #isStillCurrent(): Promise<boolean> {
    const { client, owner, declaration, run } = this.#options
    const live = (await client.find(declaration.kind, owner.metadata, {
      signal: run.signal,
    })) as ApiResource | undefined
    const { uid, generation, deletionTimestamp } = live?.metadata ?? { uid: '' }
    return (
      uid === owner.metadata.uid &&
      generation === owner.metadata.generation &&
      deletionTimestamp === undefined
    )
  }

  /**
   * Writes the status, unless it would only say for a moment that a child's controller has not looked yet: that is so
   * after every foreign annotation, and passes by itself. If it does not pass, it is written at the next look.
   */
  async #writeStatus(owner: ApiResource): Promise<Outcome> {
    const { statuses, run } = this.#options
    const [live, obstacle] = [this.live, this.#obstacle]
    const lookAgain = { recheckAfter: observeMs }
    const stated = wholeStatus(this.#stated(owner), { ...this.#options, live, obstacle })
    if (stated === undefined || !statuses.differs(live, stated)) {
      return this.#hasKeptReady ? lookAgain : undefined
    }
    if (this.#isPremature) return lookAgain
    await statuses.write(live, stated, { run, isFresh: !this.#hasWrittenOwner })
    return undefined
  }

  /** Whether children may seem not to be ready only because their controllers have not looked yet. */
  get #isPremature(): boolean {
    const { statuses, run, owner } = this.#options
    const { hasWritten, areUnobserved } = this.#children
    const isFirstLook = run.reasons.every(({ cause }) => cause === 'change') && !hasWritten
    const isFine = this.#errors.all === undefined
    return isFine && isFirstLook && areUnobserved && statuses.isCurrent(owner)
  }

  /** What the author states; a Ready condition that nobody states follows from the children. */
  #stated(owner: ApiResource): StatedFields | undefined {
    const { declaration, statuses } = this.#options
    const { status, reconcile, handlers } = declaration
    const isDerived = this.#derivesReady || this.#tellsOutlived
    if (status === undefined) {
      const isSaid = this.#hasUpdatedStatus && !this.#hasKeptFailure
      if (!isDerived || isSaid) return undefined
      // What functions of the author wrote in another run stays until they write again.
      const hasAuthor = reconcile !== undefined || handlers.length > 0 || !this.#derivesReady
      return this.#withDerived(hasAuthor ? statuses.stated(this.live) : {})
    }
    const what = `the status of ${owner.kind} ${keyOf(owner.metadata)}`
    const given = status(owner, this.#children.live, ownerView(this.#options))
    const stated: StatedFields = plainManifest(given, what)
    const isStated = stated.conditions?.['Ready'] !== undefined
    return isDerived && !isStated ? this.#withDerived(stated) : stated
  }

  /** Whether Ready tells of a failure that none of several operators has any more: nobody else would take it back. */
  get #tellsOutlived(): boolean {
    const { derivesReady, failures, owner } = this.#options
    if (derivesReady || !this.#hasReady || !failures.areKnown(owner)) return false
    return this.#tellsFailure && this.#obstacle === undefined
  }

  /** Whether Ready, as it is now, tells of a failure. */
  get #tellsFailure(): boolean {
    const { Ready } = this.#options.statuses.stated(this.live).conditions ?? {}
    return Ready?.reason === failureReason
  }

  #withDerived(stated: StatedFields): StatedFields {
    return { ...stated, conditions: { ...stated.conditions, Ready: this.#derivedReady() } }
  }

  get #derivesReady(): boolean {
    return this.#options.derivesReady && this.#hasReady
  }

  get #hasReady(): boolean {
    return this.#options.declaration.definition?.conditions.includes('Ready') === true
  }

  /** What Ready says although somebody states another: that something failed, or that a child cannot be made yet. */
  get #obstacle(): StatedCondition | undefined {
    const { failures, owner } = this.#options
    const failure = failures.note(owner, failureText(this.#errors.all, this.handlersFailure))
    if (failure !== undefined) return this.#hasReady ? failureCondition(failure) : undefined
    return this.#derivesReady && this.#children.hasFailed ? this.#derivedReady() : undefined
  }

  #derivedReady(): StatedCondition {
    const children = this.#children.waitingFor
    const error = this.#errors.all
    // What children wait for is said with their names.
    const isWaiting = !this.#children.hasFailed && isPassing(error)
    const waiting = [
      ...(children.length === 0 ? [] : [`waiting for ${children.join(', ')}`]),
      ...(isWaiting ? [headline(error)] : []),
    ]
    const message = waiting.length === 0 ? 'everything is as it should be' : waiting.join('; ')
    return when(waiting.length === 0, 'Reconciled', message)
  }

  /** Writes the status an author's function worked out; a Ready that it does not state is part of the same write. */
  async #updateStatus(status: object): Promise<void> {
    const { kind } = this.#options.declaration
    this.#hasUpdatedStatus = true
    const all = { ...resultsIn(this.live, this.#options.declaration), ...status }
    await this.#writer.updateStatus(kind, this.#withReady(all))
  }

  #withReady(status: Status): Status {
    const { statuses, declaration, owner } = this.#options
    // Where there is a `.status`, it says the last word.
    if (!this.#derivesReady || declaration.status !== undefined) return status
    const obstacle = this.#obstacle
    if (obstacle !== undefined) {
      return statuses.withCondition(this.live, status, { type: 'Ready', ...obstacle })
    }
    if (status.conditions?.some(({ type }) => type === 'Ready') === true) return status
    // Of one that is being deleted the children are not looked at.
    const isDeleted = owner.metadata.deletionTimestamp !== undefined
    if (isDeleted || this.#isPremature) {
      this.#hasKeptReady = !isDeleted
      return withKept(this.live, status, 'Ready')
    }
    if (this.#tellsFailure) {
      this.#hasKeptFailure = true
      return withKept(this.live, status, 'Ready')
    }
    return statuses.withCondition(this.live, status, { type: 'Ready', ...this.#derivedReady() })
  }
}

/** The earliest of what a run asks for. */
function soonest(...outcomes: readonly Outcome[]): Outcome {
  const wanted = outcomes.flatMap((outcome) => outcome?.recheckAfter ?? [])
  return wanted.length === 0
    ? undefined
    : { recheckAfter: Math.min(...wanted.map((after) => durationMs(after, 'recheckAfter'))) }
}

/** How long a child's controller gets to notice a change before the status speaks of it. */
const observeMs = 1_000
