import type { RunbookStatus, StepStatus } from '../definition/index.ts'
import { jsonEquals } from '../schema/json-value.ts'
import {
  admitRun,
  beginNext,
  cancelRun,
  failureWaits,
  type RunbookStatuses,
  runningIn,
} from './admit-run.ts'
import { advanceRun, type BegunAttempt } from './advance-run.ts'
import type { Observation } from './advance-step.ts'
import { causeOf } from './causes.ts'
import type { NamedLeaf } from './flow.ts'
import { cancellationOf } from './run-request.ts'
import type { RunbookDeclaration } from './step-node.ts'

export type { RunbookStatuses } from './admit-run.ts'

/** The object whose runbooks are planned. */
interface PlannedObject {
  readonly metadata: {
    readonly creationTimestamp: string
    readonly generation?: number | undefined
    readonly annotations?: Readonly<Record<string, string>> | undefined
  }
}

/** An attempt of a step of a run. */
interface PlannedAttempt extends BegunAttempt {
  readonly runbook: RunbookDeclaration
  readonly run: RunbookStatus
}

/** What a reconcile does for the runbooks of an object. */
export interface PlannedRunbooks {
  /** The states to store, before anything is begun. */
  readonly statuses: RunbookStatuses
  readonly isChanged: boolean
  readonly begun: readonly PlannedAttempt[]
  /** When to look again without a change; `Infinity` if only a change can help. */
  readonly waitMs: number
}

interface Look {
  readonly nowMs: number
  readonly observe: (
    runbook: RunbookDeclaration,
    step: NamedLeaf,
    at: { readonly run: RunbookStatus; readonly status: StepStatus },
  ) => Observation
}

/** More runs than this that begin and end immediately are left to the next reconcile. */
const runsMax = 10

/** Decides what happens to the runbooks of an object now. */
export function planRunbooks(
  runbooks: readonly RunbookDeclaration[],
  object: PlannedObject,
  { before, look }: { readonly before: RunbookStatuses; readonly look: Look },
): PlannedRunbooks {
  const { nowMs } = look
  const { generation, annotations } = object.metadata
  let statuses = before
  let waitMs = Infinity
  const cancelled = cancellationOf(annotations)
  if (cancelled !== undefined && statuses[cancelled.runbook]?.run === cancelled.run) {
    statuses = cancelRun(statuses, cancelled.runbook, { message: 'cancelled by request', nowMs })
  }
  for (const runbook of runbooks) {
    const found = causeOf(runbook, object, { status: statuses[runbook.name], nowMs })
    waitMs = Math.min(waitMs, found.waitMs)
    if (Object.keys(found.status).length > 0) {
      statuses = { ...statuses, [runbook.name]: found.status }
    }
    const { start } = found
    if (start !== undefined) statuses = admitRun(statuses, runbook, { start, generation, nowMs })
  }
  const begun: PlannedAttempt[] = []
  for (let runs = 0; runs < runsMax; runs += 1) {
    statuses = beginNext(statuses, runbooks, { generation, nowMs })
    const name = runningIn(statuses)
    const runbook = runbooks.find((one) => one.name === name)
    if (name === undefined || runbook === undefined) break
    const run = statuses[name] ?? {}
    const observe = (step: NamedLeaf, status: StepStatus): Observation =>
      look.observe(runbook, step, { run, status })
    const advanced = advanceRun(runbook, run, { observe, nowMs })
    statuses = { ...statuses, [name]: advanced.status }
    waitMs = Math.min(waitMs, advanced.waitMs)
    begun.push(...advanced.begun.map((one) => ({ ...one, runbook, run: advanced.status })))
    if (advanced.status.state === 'Running') break
    statuses = failureWaits(statuses, runbook, { runbooks, nowMs })
    if (runs === runsMax - 1) waitMs = 0
  }
  const isChanged = !jsonEquals(statuses, before)
  return { statuses, isChanged, begun, waitMs }
}
