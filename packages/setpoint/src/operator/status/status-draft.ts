import { keyOf } from '../../cache/index.ts'
import { type Client, isApiError } from '../../client/index.ts'
import type { Outcome, Run } from '../../controller/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import { type Logger, plainError } from '../../log/index.ts'
import { jsonEquals } from '../../schema/json-value.ts'
import type { ChildReconciler } from '../children/child-reconciler.ts'
import type { OperatorDeclaration, StatedFields } from '../declare/operator-declaration.ts'
import type { StatedCondition } from '../declare/operator-types.ts'
import type { FailureEvents } from '../failures/failure-events.ts'
import { failureMessage, failureReason, failureText } from '../failures/failure-text.ts'
import { isTransient } from '../failures/reconcile-errors.ts'
import type { SharedFailures } from '../failures/shared-failures.ts'
import type { FreshOwner } from '../owner/owner-freshness.ts'
import type { OwnerState } from '../owner/owner-state.ts'
import type { ReadyAuthor } from './ready-author.ts'
import { derivedReady, failedReady, type ReadyDecision, readyOf } from './ready.ts'
import { conditionsOf, type Status, withKeptCondition } from './shared-status.ts'
import type { StatusWriter } from './status-writer.ts'

/** The dependencies of a `StatusDraft`. */
interface StatusDraftOptions {
  readonly declaration: OperatorDeclaration
  readonly client: Client
  readonly owner: OwnerState
  readonly run: Run
  readonly log: Logger
  readonly statuses: StatusWriter
  readonly shared: SharedFailures
  readonly author: ReadyAuthor
  readonly failureEvents: FailureEvents
  /** Whether the object is outdated. Checked before every write. */
  readonly fresh: FreshOwner
  /**
   * The children of this reconcile; none for daemons and timers, which run outside of reconciles.
   */
  readonly children?: ChildReconciler
  /** The errors of this reconcile so far. */
  readonly failed?: () => FailedParts
}

interface FailedParts {
  readonly error: unknown
  readonly handlersFailure: string | undefined
}

/** The new status from the latest one. */
type StatusChange = (latest: Status) => Status | StatedFields

/** How often `ctx.updateStatus` is tried when other writers are faster. */
const conflictsMax = 5

/** How long an operator waits for the controllers of its children to observe a change. */
export const observeMs = 1_000

/**
 * The status of one object while it is reconciled: the author's fields, the results of handlers,
 * and Ready. It is written once, at the end of the reconcile, even after a failure. Only
 * `ctx.updateStatus` writes it earlier.
 */
export class StatusDraft {
  readonly #options: StatusDraftOptions
  /** What `ctx.updateStatus` has written in this reconcile: the whole status, or all but Ready. */
  #updated: 'nothing' | 'status' | 'statusWithoutReady' = 'nothing'

  constructor(options: StatusDraftOptions) {
    this.#options = options
  }

  /**
   * `ctx.updateStatus`: replaces the status under an optimistic lock, with the derived Ready. Outside
   * of a reconcile no queue retries a conflict. There the write is repeated with the new revision,
   * unless the author's own fields have changed, too. A function computes them again.
   */
  async update(fields: Status | StatedFields | StatusChange): Promise<void> {
    const { owner, run, client, children, declaration, statuses } = this.#options
    const isFunction = typeof fields === 'function'
    for (let conflicts = 1; ; conflicts += 1) {
      try {
        const given = isFunction ? fields((owner.latest['status'] ?? {}) as Status) : fields
        await this.#update(statuses.whole(owner.reported, given))
        return
      } catch (error) {
        const isRetried = children === undefined && conflicts < conflictsMax
        if (!isRetried || !isApiError(error, 'API_CONFLICT')) throw error
        const before = this.#authoredFields()
        const { signal } = run
        const fresh = await client.get(declaration.kind, owner.latest.metadata, { signal })
        owner.recordWrite(fresh as ApiResource)
        if (!isFunction && !jsonEquals(this.#authoredFields(), before)) throw error
      }
    }
  }

  /** The fields of the latest status that the author's functions set. */
  #authoredFields(): Status {
    const { latest } = this.#options.owner
    const { conditions: _, ...fields } = (latest['status'] ?? {}) as Status
    const results = new Set(Object.keys(this.#handlerResults()))
    const others = Object.entries(fields).filter(([name]) => !results.has(name))
    return {
      ...Object.fromEntries(others),
      conditions: conditionsOf(latest).filter(({ type }) => type !== 'Ready'),
    }
  }

  async #update(status: Status): Promise<void> {
    const { declaration, owner, statuses, author, fresh, run } = this.#options
    const live = owner.reported
    const whole: Status = { ...this.#handlerResults(), ...status }
    const isStated = whole.conditions?.some(({ type }) => type === 'Ready') === true
    // With a `.status` function, the end of the reconcile decides.
    const decision =
      declaration.status === undefined ? this.#decide({ isFinal: false, isStated }) : 'omit'
    this.#updated = decision === 'keep' ? 'statusWithoutReady' : 'status'
    const ready = this.#ready(decision)
    const sent =
      decision === 'keep'
        ? withKeptCondition(live, whole, 'Ready')
        : ready === undefined
          ? whole
          : statuses.withCondition(live, whole, { type: 'Ready', ...ready })
    await fresh.check()
    await statuses.update(owner.latest, sent, run)
    if (ready !== undefined) author.recordWritten(owner.latest)
  }

  /**
   * Writes the status at the end of a reconcile. `authored` is what `.status` returned. A status
   * that may differ only because the controller of a child has not observed a change yet is not
   * written. The next reconcile decides.
   */
  async write(authored: StatedFields | undefined): Promise<Outcome> {
    const { declaration, owner, statuses, shared, author, fresh, run } = this.#options
    const { error, handlersFailure } = this.#failed
    const key = keyOf(owner.observed.metadata)
    shared.record(key, declaration.options.name, failureText(error, handlersFailure))
    if (author.isReplaced(owner.reported)) {
      author.recordReplaced(await statuses.readForeign(owner.observed, run))
    }
    const isStated = authored?.conditions?.['Ready'] !== undefined
    const isUpdated = authored === undefined && this.#updated === 'status'
    const decision = this.#decide({ isFinal: true, isStated: isStated || isUpdated })
    const ready = this.#ready(decision)
    const draft = this.#draft(authored, ready)
    if (draft === undefined || !statuses.differs(owner.reported, draft)) return undefined
    if (this.#areChildrenUnobserved) return { recheckAfter: observeMs }
    await fresh.check()
    // Steps of runbooks write the status at the same time, and `.status` repeats what they wrote.
    const hasSteps = declaration.runbooks.length > 0
    const revision = hasSteps ? owner.latest.metadata.resourceVersion : undefined
    await statuses.write(owner.reported, draft, { run, isLatest: !owner.isWritten, revision })
    if (ready !== undefined) author.recordWritten(owner.latest)
    return undefined
  }

  /**
   * Reports an error that ended a reconcile, as an Event and in Ready. It never throws, because the
   * error must reach the queue.
   */
  async reportFailure(error: unknown): Promise<void> {
    const { declaration, owner, statuses, shared, author, failureEvents } = this.#options
    const { fresh, run, log } = this.#options
    // The code that aborts a reconcile reports it.
    if (run.signal.aborted || isTransient(error)) return
    await failureEvents.record(owner.observed, failureMessage(error), run.signal)
    const own = failureText(error, this.#failed.handlersFailure)
    const key = keyOf(owner.observed.metadata)
    shared.record(key, declaration.options.name, own)
    const failure = shared.allFailures(key, declaration.options.name, own)
    if (!this.#isReadyDeclared || failure === undefined || author.isOther(owner.observed)) return
    // The other fields stay as the last reconcile wrote them.
    const draft = this.#draft(statuses.stated(owner.reported), failedReady(failure))
    if (draft === undefined || !statuses.differs(owner.reported, draft)) return
    try {
      await fresh.check()
      await statuses.write(owner.reported, draft, { run })
      author.recordWritten(owner.latest)
    } catch (refusal) {
      const err = plainError(refusal, { stack: false })
      log.warn({ err }, 'failed to report a reconcile error: the status update was refused')
    }
  }

  /** The whole status with this Ready; `undefined` when there is nothing to write. */
  #draft(
    authored: StatedFields | undefined,
    ready: StatedCondition | undefined,
  ): StatedFields | undefined {
    if (authored === undefined && ready === undefined) return undefined
    const { declaration, owner, statuses, shared } = this.#options
    const { reconcile, handlers } = declaration
    // Fields that the author's functions wrote in an earlier reconcile stay until they write again.
    const hasAuthor = reconcile !== undefined || handlers.length > 0 || !shared.isOnlyOperator
    const fields = authored ?? (hasAuthor ? statuses.stated(owner.reported) : {})
    const draft = { ...this.#handlerResults(), ...fields }
    if (ready === undefined) return draft
    return { ...draft, conditions: { ...fields.conditions, Ready: ready } }
  }

  #decide({ isFinal, isStated }: { isFinal: boolean; isStated: boolean }): ReadyDecision {
    const { owner, statuses, shared, author, children } = this.#options
    const current = statuses.stated(owner.reported).conditions?.['Ready']
    return readyOf({
      isDeclared: this.#isReadyDeclared,
      hasFailure: this.#failure !== undefined,
      hasFailedChild: children?.hasFailed === true,
      isStated,
      isLeftToOther: author.isOther(owner.observed),
      isOnlyOperator: shared.isOnlyOperator,
      areFailuresKnown: shared.areKnown(keyOf(owner.observed.metadata)),
      reportsFailure: current?.reason === failureReason,
      isFinal,
      areChildrenKnown: children !== undefined && !isTerminating(owner.observed),
      areChildrenUnobserved: this.#areChildrenUnobserved,
    })
  }

  #ready(decision: ReadyDecision): StatedCondition | undefined {
    const { declaration, children } = this.#options
    if (decision === 'failed') return failedReady(this.#failure ?? '')
    if (decision !== 'derived') return undefined
    return derivedReady(declaration.children, children?.states ?? new Map(), this.#failed.error)
  }

  /** Whether children may seem unready because controllers have not observed the latest change. */
  get #areChildrenUnobserved(): boolean {
    const { owner, statuses, children, run } = this.#options
    if (children === undefined || children.hasWritten || this.#failed.error !== undefined) {
      return false
    }
    const isFirstReconcile = run.reasons.every(({ cause }) => cause === 'change')
    return isFirstReconcile && children.areUnobserved && statuses.isCurrent(owner.observed)
  }

  /** The failures of all operators of the resource. */
  get #failure(): string | undefined {
    const { declaration, owner, shared } = this.#options
    const { error, handlersFailure } = this.#failed
    const own = failureText(error, handlersFailure)
    return shared.allFailures(keyOf(owner.observed.metadata), declaration.options.name, own)
  }

  get #failed(): FailedParts {
    return this.#options.failed?.() ?? { error: undefined, handlersFailure: undefined }
  }

  get #isReadyDeclared(): boolean {
    const { definition, options } = this.#options.declaration
    return definition?.conditions.includes('Ready') === true && options.setsReady !== false
  }

  /** The results of handlers and the states of runbooks, as fields of the status. */
  #handlerResults(): Readonly<Record<string, unknown>> {
    const { declaration, owner } = this.#options
    const status = (owner.latest['status'] ?? {}) as Readonly<Record<string, unknown>>
    const own = [
      ...declaration.handlers.map(({ id }) => id),
      ...(declaration.definition?.runbooks.length === 0 ? [] : ['runbooks']),
    ]
    const ids = own.filter((id) => Object.hasOwn(status, id))
    return Object.fromEntries(ids.map((id) => [id, status[id]]))
  }
}
