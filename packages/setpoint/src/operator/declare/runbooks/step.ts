import { SetpointError } from '../../../errors/index.ts'
import type { Backoff, RetryOptions } from '../../../handlers/index.ts'
import { type Duration, durationMs, limitMs } from '../../../host/index.ts'
import type { InferResource, Kind } from '../../../kinds/kind.ts'
import type { StepLeaf, StepNode } from '../../../runbooks/index.ts'
import type { Desired, Frozen, Known } from '../operator-types.ts'

/** A step of a runbook, or a group of steps. */
export interface Step {
  readonly node: StepNode
}

/** The options of every step. */
export interface StepOptions<Owner, View> {
  /** The step is skipped if it returns false when the step is due. */
  readonly when?: (owner: Owner, view: View) => boolean
  /** How long an attempt may take; unlimited by default. */
  readonly timeout?: Duration
}

/** How failures of a step are treated. */
export interface StepRetries {
  /** How often the step may fail before its last attempt; 3 by default. */
  readonly retries?: number
  /** The delay before the next attempt: 10 s by default, doubled each time up to 5 minutes. */
  readonly backoff?: Backoff
}

/** The options of a step with an object. */
export interface ObjectStepOptions<Owner, View, K extends Kind>
  extends StepOptions<Owner, View>, StepRetries {
  /**
   * When the step is done; by default, when a Job is complete, a workload is rolled out, and any
   * other object exists.
   */
  readonly readyWhen?: (object: Frozen<InferResource<K>>) => boolean
  /** When the attempt has failed; by default, when a Job has failed. */
  readonly failedWhen?: (object: Frozen<InferResource<K>>) => boolean
}

/** A step that waits. */
export interface WaitOptions<Owner, View> extends StepOptions<Owner, View> {
  /**
   * Returns true when the step is done. Otherwise it returns false, or a text that says what the
   * step waits for. It is called in every reconcile of the object, and at the interval `every`.
   */
  readonly until: (owner: Owner, view: View) => boolean | string
  /** How often it is called without a change; 10 s by default. */
  readonly every?: Duration
}

const everyMsDefault = 10_000

/** Makes the steps of a runbook: the argument of the last function of `.runbook`. */
export interface StepBuilder<Owner = never, View = never, Context = never> {
  /**
   * A step whose function is called. It may be called again after a failure or a restart of the
   * operator, so it must be idempotent. What it returns is kept in the status.
   *
   *     step('migrate', async (db, { signal }) => migrate(db, signal), { timeout: '10m' })
   */
  step(
    this: void,
    name: string,
    run: (owner: Owner, context: Context) => Promise<unknown>,
    options?: StepOptions<Owner, View> & StepRetries,
  ): Step
  /**
   * A step that creates an object, usually a Job, and waits until it is done. The object is owned by
   * the object of the runbook, and is deleted when its run leaves the history.
   *
   *     step('backup', Job, (db) => ({ spec: { template: ... } }))
   */
  step<K extends Kind, Written extends Desired<K>>(
    this: void,
    name: string,
    kind: K,
    desired: (owner: Owner, view: View) => Written & Known<Written, Desired<K>>,
    options?: ObjectStepOptions<Owner, View, K>,
  ): Step
  /**
   * A step that waits until a condition is true. Without a `timeout` it waits without end.
   *
   *     step('verify', { until: (db, { get }) => isHealthy(get(Deployment, db.metadata.name)) })
   */
  step(this: void, name: string, wait: WaitOptions<Owner, View>): Step
  /** Steps that run at the same time. If one of them fails, the others are cancelled. */
  parallel(this: void, name: string, steps: readonly Step[]): Step
  /** Steps that run one after the other, for a series inside of `parallel`. */
  serial(this: void, name: string, steps: readonly Step[]): Step
}

/** Makes steps of all types. */
export const stepBuilder: StepBuilder = {
  step: (name: string, ...given: readonly unknown[]): Step => {
    const node = leafOf(name, given)
    if (node !== undefined) return { node }
    throw new SetpointError(
      'OPERATOR_INVALID',
      `the step ${JSON.stringify(name)} has no function, no object and no condition`,
      { hint: `write step('${name}', async (owner, context) => { ... })` },
    )
  },
  parallel: (name, steps) => groupOf('parallel', name, steps),
  serial: (name, steps) => groupOf('serial', name, steps),
}

function groupOf(is: 'serial' | 'parallel', name: string, steps: readonly Step[]): Step {
  return { node: { is, name, steps: steps.map(({ node }) => node) } }
}

type Given = StepOptions<never, never> & StepRetries

function leafOf(name: string, [first, second, third]: readonly unknown[]): StepLeaf | undefined {
  if (typeof first === 'function') {
    const run = first as Extract<StepLeaf, { is: 'code' }>['run']
    return { is: 'code', ...common(name, second as Given | undefined), run }
  }
  if (typeof second === 'function') {
    const desired = second as Extract<StepLeaf, { is: 'object' }>['desired']
    const options = (third ?? {}) as ObjectStepOptions<never, never, Kind>
    const { readyWhen, failedWhen } = options as Partial<Extract<StepLeaf, { is: 'object' }>>
    const kind = first as Kind
    return { is: 'object', ...common(name, options), kind, desired, readyWhen, failedWhen }
  }
  const { until, every = everyMsDefault, ...options } = Object(first) as WaitOptions<never, never>
  if (typeof until !== 'function') return undefined
  return { is: 'wait', ...common(name, options), until, everyMs: durationMs(every, 'every') }
}

function common(name: string, { when, timeout, retries, backoff }: Given = {}) {
  const retry: RetryOptions = {
    ...(retries === undefined ? {} : { retries }),
    ...(backoff === undefined ? {} : { backoff }),
  }
  const timeoutMs = timeout === undefined ? undefined : limitMs(timeout, 'timeout')
  return { name, when, retry, timeoutMs }
}
