import { keyOf } from '../../cache/index.ts'
import type { Outcome } from '../../controller/index.ts'
import type { StepStatus } from '../../definition/index.ts'
import {
  type NamedLeaf,
  type Observation,
  planRunbooks,
  type RunbookDeclaration,
  type RunbookStatuses,
} from '../../runbooks/index.ts'
import type { FreshOwner } from '../owner/owner-freshness.ts'
import type { OwnerState } from '../owner/owner-state.ts'
import type { Status } from '../status/shared-status.ts'
import type { StatusWriter } from '../status/status-writer.ts'
import { type RunbookReport, runbookReports } from './runbook-reports.ts'
import { attemptText, type StepAttempt } from './step-object.ts'
import { StepWork, type StepWorkOptions } from './step-work.ts'

/** The dependencies of the runbooks of an object. */
interface ObjectRunbooksOptions extends StepWorkOptions {
  readonly runbooks: readonly RunbookDeclaration[]
  readonly statuses: StatusWriter
  readonly fresh: FreshOwner
  /** Reports a change to people. It must not throw. */
  readonly report: (report: RunbookReport) => Promise<void>
}

/**
 * The runbooks of one object in one reconcile. The new state is stored before the work of a step
 * begins, under an optimistic lock: a process with an old state of the object begins nothing.
 */
export class ObjectRunbooks {
  readonly #options: ObjectRunbooksOptions
  readonly #work: StepWork

  constructor(options: ObjectRunbooksOptions) {
    this.#options = options
    this.#work = new StepWork(options)
  }

  async reconcile(): Promise<Outcome> {
    const { runbooks, owner, host, tasks, report } = this.#options
    const { uid } = owner.observed.metadata
    const key = keyOf(owner.observed.metadata)
    const before = statusesOf(owner)
    const look = { nowMs: host.now(), observe: this.#observe }
    const plan = planRunbooks(runbooks, owner.valid as never, { before, look })
    if (plan.isChanged) await this.#save(plan.statuses)
    tasks.keepOnly(key, uid, runningAttempts(plan.statuses))
    for (const one of runbookReports(before, plan.statuses)) await report(one)
    for (const begun of plan.begun) await this.#work.begin(begun)
    await this.#work.deleteUnneeded(runbooks, plan.statuses)
    return plan.waitMs === Infinity ? undefined : { recheckAfter: Math.max(0, plan.waitMs) }
  }

  readonly #observe = (
    runbook: RunbookDeclaration,
    step: NamedLeaf,
    at: Parameters<StepWork['observe']>[2],
  ): Observation => this.#work.observe(runbook, step, at)

  async #save(statuses: RunbookStatuses): Promise<void> {
    const { owner, fresh, run } = this.#options
    const status = { ...(owner.latest['status'] as Status | undefined), runbooks: statuses }
    await fresh.check()
    await this.#options.statuses.update(owner.latest, status, run)
    owner.valid = { ...owner.valid, status: owner.latest['status'] }
  }
}

function statusesOf({ latest }: OwnerState): RunbookStatuses {
  const { runbooks = {} } = (latest['status'] ?? {}) as { readonly runbooks?: RunbookStatuses }
  return runbooks
}

/** The attempts that may still work. */
function runningAttempts(statuses: RunbookStatuses): Set<string> {
  const attempts = Object.entries(statuses).flatMap(([runbook, { run = 0, steps = [] }]) =>
    steps
      .filter(({ state }) => state === 'Running')
      .map((step) => attemptText(attemptOf({ runbook, run }, step))),
  )
  return new Set(attempts)
}

function attemptOf(
  run: Pick<StepAttempt, 'runbook' | 'run'>,
  { name, attempts = 1 }: StepStatus,
): StepAttempt {
  return { ...run, step: name, attempt: attempts }
}
