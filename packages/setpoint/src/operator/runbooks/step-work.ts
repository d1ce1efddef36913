import { keyOf } from '../../cache/index.ts'
import { isApiError } from '../../client/index.ts'
import type { Run } from '../../controller/index.ts'
import type { RunbookStatus, StepStatus } from '../../definition/index.ts'
import { isSetpointError } from '../../errors/index.ts'
import { type Duration, durationMs, type Host } from '../../host/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import { kindKey } from '../../kinds/kind-key.ts'
import type { Kind } from '../../kinds/kind.ts'
import {
  boundedResult,
  leavesOf,
  type NamedLeaf,
  type Observation,
  type PlannedRunbooks,
  type RunbookDeclaration,
  type RunbookStatuses,
  type StepLeaf,
} from '../../runbooks/index.ts'
import type { ReconcileContext } from '../declare/contexts.ts'
import type { StepView } from '../declare/runbooks/step-context.ts'
import type { OwnerState } from '../owner/owner-state.ts'
import { type KindCaches, ownerView } from '../owner/owner-view.ts'
import {
  attemptText,
  hasFailed,
  isOfAttempt,
  observeObject,
  runLabel,
  runLabelValue,
  type StepAttempt,
  stepLabels,
  stepObjectName,
} from './step-object.ts'
import type { StepTasks } from './step-tasks.ts'

/** The dependencies of the work of steps. */
export interface StepWorkOptions {
  readonly host: Host
  readonly caches: KindCaches
  readonly tasks: StepTasks
  readonly owner: OwnerState
  readonly run: Run
  /** The context of `.reconcile`, for objects of steps. */
  readonly context: () => ReconcileContext
  /** The context of functions that run outside of reconciles. */
  readonly contextOf: (object: ApiResource, signal: AbortSignal) => object
  /** The object in the cache; `undefined` if it is deleted. */
  readonly current: () => ApiResource | undefined
  /** Enqueues the object again. */
  readonly trigger: (why: string) => void
}

type ObjectLeaf = Extract<StepLeaf, { is: 'object' }>
type CodeLeaf = Extract<StepLeaf, { is: 'code' }>
type Test = (owner: ApiResource, view: StepView) => boolean

/** A step of a run with its status. */
interface At {
  readonly run: RunbookStatus
  readonly status: StepStatus
}

/** Does the work of steps, and checks its results. */
export class StepWork {
  readonly #options: StepWorkOptions

  constructor(options: StepWorkOptions) {
    this.#options = options
  }

  /** Checks the current attempt of a step. */
  observe(runbook: RunbookDeclaration, { id, leaf }: NamedLeaf, at: At): Observation {
    const { owner, tasks } = this.#options
    const attempt = attemptOf(runbook, id, at)
    if (at.status.state === 'Pending') {
      const isWanted = (leaf.when as Test | undefined)?.(owner.valid, this.#view(at)) ?? true
      return isWanted ? { is: 'idle' } : { is: 'unwanted' }
    }
    if (at.status.state !== 'Running') return { is: 'idle' }
    if (leaf.is === 'wait') return this.#observeWait(leaf, at)
    const task = tasks.observe(this.#key, this.#uid, attemptText(attempt))
    if (leaf.is === 'code' || task.is === 'failed') return task
    const object = this.#objectOf(leaf.kind, attempt)
    return object === undefined ? { is: 'idle' } : observeObject(leaf, object)
  }

  /** Begins an attempt, whose number is stored already. */
  async begin({ runbook, run, step, attempt }: PlannedRunbooks['begun'][number]): Promise<void> {
    const { id, leaf } = step
    const status = run.steps?.find(({ name }) => name === id) ?? { name: id, state: 'Running' }
    const at: At = { run, status: { ...status, attempts: attempt } }
    if (leaf.is === 'code') this.#call(runbook, { id, leaf }, at)
    if (leaf.is === 'object') await this.#create(runbook, { id, leaf }, at)
  }

  /**
   * Deletes the objects of runs that are no longer in the history, and those of attempts that were
   * cancelled or took too long. A Job that failed stays, because people read its log.
   */
  async deleteUnneeded(
    runbooks: readonly RunbookDeclaration[],
    statuses: RunbookStatuses,
  ): Promise<void> {
    const { caches, owner } = this.#options
    for (const kind of objectKinds(runbooks)) {
      for (const object of caches.owned(kind, owner.observed)) {
        const isOfStep = object.metadata.labels?.[runLabel] !== undefined
        if (!isOfStep || isTerminating(object) || isNeeded(object, runbooks, statuses)) continue
        await this.#delete(kind, object)
      }
    }
  }

  #observeWait({ until }: Extract<StepLeaf, { is: 'wait' }>, at: At): Observation {
    const test = until as (owner: ApiResource, view: StepView) => boolean | string
    try {
      const result = test(this.#options.owner.valid, this.#view(at))
      if (result === true) return { is: 'done' }
      return { is: 'working', message: typeof result === 'string' ? result : undefined }
    } catch (error) {
      return { is: 'failed', error }
    }
  }

  #call(
    runbook: RunbookDeclaration,
    { id, leaf }: { readonly id: string; readonly leaf: CodeLeaf },
    at: At,
  ): void {
    const { owner, tasks, host, contextOf, current, trigger } = this.#options
    const object = owner.valid
    const run = leaf.run as (owner: ApiResource, context: object) => Promise<unknown>
    const { get: _, list: __, now: ___, ...facts } = this.#view(at)
    const work = async (signal: AbortSignal): Promise<unknown> => {
      const context = {
        ...contextOf(object, signal),
        ...facts,
        signal,
        current,
        sleep: async (duration: Duration) =>
          host.sleep(durationMs(duration, 'the duration of sleep()'), signal),
      }
      return boundedResult(id, await run(object, context))
    }
    const attempt = attemptText(attemptOf(runbook, id, at))
    const place = { key: this.#key, uid: this.#uid, attempt }
    tasks.begin(place, work, () => trigger(`the step ${id} of ${runbook.name} ended`))
  }

  async #create(
    runbook: RunbookDeclaration,
    { id, leaf }: { readonly id: string; readonly leaf: ObjectLeaf },
    at: At,
  ): Promise<void> {
    const { owner, tasks, context, trigger } = this.#options
    const attempt = attemptOf(runbook, id, at)
    try {
      const manifest = this.#manifest(leaf, attempt, at)
      const { name } = manifest.metadata
      const former = this.#options.caches
        .owned(leaf.kind, owner.observed)
        .find(({ metadata }) => metadata.name === name)
      // The author chose the name, and the object of an earlier attempt has it.
      if (former !== undefined && !isOfAttempt(former, attempt)) {
        if (!isTerminating(former)) await this.#delete(leaf.kind, former)
        return
      }
      await context().apply(leaf.kind, manifest)
    } catch (error) {
      if (!isFailure(error)) throw error
      tasks.fail({ key: this.#key, uid: this.#uid, attempt: attemptText(attempt) }, error)
      trigger(`the step ${id} of ${runbook.name} failed`)
    }
  }

  #manifest(leaf: ObjectLeaf, attempt: StepAttempt, at: At) {
    const { owner } = this.#options
    const desiredOf = leaf.desired as (owner: ApiResource, view: StepView) => Partial<ApiResource>
    const desired = desiredOf(owner.valid, this.#view(at))
    const { name, labels, ...metadata } =
      desired.metadata ?? ({} as Partial<ApiResource['metadata']>)
    return {
      ...desired,
      metadata: {
        ...metadata,
        name: name ?? stepObjectName(owner.observed.metadata.name, attempt),
        labels: { ...labels, ...stepLabels(attempt) },
      },
    }
  }

  async #delete(kind: Kind, object: ApiResource): Promise<void> {
    const options = { evenIfChanged: true, propagation: 'Background' } as const
    await this.#options.context().delete(kind, object, options)
  }

  #objectOf(kind: Kind, attempt: StepAttempt): ApiResource | undefined {
    const { caches, owner } = this.#options
    return caches.owned(kind, owner.observed).find((object) => isOfAttempt(object, attempt))
  }

  #view({ run, status }: At): StepView {
    const { owner, caches, host } = this.#options
    const results = (run.steps ?? [])
      .filter(({ result }) => result !== undefined)
      .map(({ name, result }) => [name, result] as const)
    return {
      ...ownerView(owner.observed.metadata.namespace, caches),
      now: () => host.now(),
      parameters: run.parameters,
      cause: run.cause ?? { type: 'Request', message: '' },
      run: run.run ?? 0,
      attempt: status.attempts ?? 1,
      results: Object.fromEntries(results),
    }
  }

  get #key(): string {
    return keyOf(this.#options.owner.observed.metadata)
  }

  get #uid(): string {
    return this.#options.owner.observed.metadata.uid
  }
}

function attemptOf({ name }: RunbookDeclaration, id: string, { run, status }: At): StepAttempt {
  return { runbook: name, run: run.run ?? 0, step: id, attempt: status.attempts ?? 1 }
}

function objectKinds(runbooks: readonly RunbookDeclaration[]): Kind[] {
  const kinds = runbooks
    .flatMap(({ steps }) => leavesOf(steps))
    .flatMap(({ leaf }) => (leaf.is === 'object' ? [leaf.kind] : []))
  return [...new Map(kinds.map((kind) => [kindKey(kind), kind])).values()]
}

function isNeeded(
  object: ApiResource,
  runbooks: readonly RunbookDeclaration[],
  statuses: RunbookStatuses,
): boolean {
  for (const { name, steps } of runbooks) {
    const { run = 0, history = [], steps: states = [] } = statuses[name] ?? {}
    const label = object.metadata.labels?.[runLabel]
    const kept = history.map((past) => runLabelValue({ runbook: name, run: past.run }))
    if (label !== undefined && kept.includes(label)) return true
    if (label !== runLabelValue({ runbook: name, run })) continue
    const leaves = new Map(leavesOf(steps).map(({ id, leaf }) => [id, leaf]))
    const unwanted = states.some(({ name: step, state, attempts = 1 }) => {
      const leaf = leaves.get(step)
      const isOver = state === 'Cancelled' || state === 'Retrying' || state === 'Failed'
      if (!isOver || leaf?.is !== 'object') return false
      const attempt = { runbook: name, run, step, attempt: attempts }
      const failedWhen = leaf.failedWhen as ((object: ApiResource) => boolean) | undefined
      return isOfAttempt(object, attempt) && !hasFailed(object, failedWhen)
    })
    return !unwanted
  }
  return false
}

/** Whether an error is a failure of the step. Others are retried by the queue of the operator. */
function isFailure(error: unknown): boolean {
  if (isApiError(error)) {
    return isApiError(error, 'API_INVALID', 'API_BAD_REQUEST', 'API_FORBIDDEN')
  }
  return (
    !isSetpointError(error) ||
    isSetpointError(error, 'CHILD_TAKEN') ||
    isSetpointError(error, 'OPERATOR_INVALID')
  )
}
