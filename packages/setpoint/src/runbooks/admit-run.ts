import type { RunbookStatus, RunSummary, WaitingRun } from '../definition/index.ts'
import { secondsTime } from '../events/index.ts'
import type { FoundCause } from './causes.ts'
import { leavesOf } from './flow.ts'
import type { RunbookDeclaration } from './step-node.ts'

/** The states of all runbooks of an object by name. */
export type RunbookStatuses = Readonly<Record<string, RunbookStatus>>

type Start = NonNullable<FoundCause['start']>

/** The runbook of an object that is running. At most one is. */
export function runningIn(statuses: RunbookStatuses): string | undefined {
  return Object.keys(statuses).find((name) => statuses[name]?.state === 'Running')
}

/** The states after a run should start: it begins, waits, or is refused. */
export function admitRun(
  statuses: RunbookStatuses,
  runbook: RunbookDeclaration,
  { start, generation, nowMs }: { start: Start; generation: number | undefined; nowMs: number },
): RunbookStatuses {
  const { name, whileRunning } = runbook
  const running = runningIn(statuses)
  if (running === undefined) {
    return { ...statuses, [name]: begunRun(statuses[name], runbook, { start, generation, nowMs }) }
  }
  if (whileRunning === 'refuse') {
    const refusal = `${start.cause.message}: ${running} is running`
    return { ...statuses, [name]: { ...statuses[name], refusal } }
  }
  if (whileRunning === 'restart' && running === name) {
    const cancelled = cancelledRun(statuses[name] ?? {}, nowMs, `restarted: ${start.cause.message}`)
    return { ...statuses, [name]: begunRun(cancelled, runbook, { start, generation, nowMs }) }
  }
  const waiting = waitingRun(statuses[name]?.waiting, start, nowMs)
  const state = statuses[name]?.state === undefined ? { state: 'Pending' as const } : {}
  return { ...statuses, [name]: { ...statuses[name], ...state, waiting } }
}

/** A second run that waits replaces the first, and remembers the values before both changes. */
function waitingRun(known: WaitingRun | undefined, start: Start, nowMs: number): WaitingRun {
  const before = { ...start.cause.before, ...known?.cause.before }
  const cause = { ...start.cause, ...(Object.keys(before).length === 0 ? {} : { before }) }
  return { ...start, cause, since: known?.since ?? secondsTime(nowMs) }
}

/** Begins a run that waits, if no run is in progress: the runbook of a failure, then the oldest. */
export function beginNext(
  statuses: RunbookStatuses,
  runbooks: readonly RunbookDeclaration[],
  { generation, nowMs }: { readonly generation: number | undefined; readonly nowMs: number },
): RunbookStatuses {
  if (runningIn(statuses) !== undefined) return statuses
  const candidates = runbooks.flatMap((runbook) => {
    const waiting = statuses[runbook.name]?.waiting
    return waiting === undefined ? [] : [{ runbook, waiting }]
  })
  const [next] = candidates.sort((left, right) => orderOf(left.waiting, right.waiting))
  if (next === undefined) return statuses
  const { name } = next.runbook
  const { since: _, ...start } = next.waiting
  const { waiting: __, ...status } = statuses[name] ?? {}
  return { ...statuses, [name]: begunRun(status, next.runbook, { start, generation, nowMs }) }
}

function orderOf(left: WaitingRun, right: WaitingRun): number {
  const isFailure = ({ cause }: WaitingRun): number => (cause.type === 'Failure' ? 0 : 1)
  return isFailure(left) - isFailure(right) || left.since.localeCompare(right.since)
}

/** The state at the beginning of a run. */
function begunRun(
  status: RunbookStatus = {},
  { steps, historyMax }: RunbookDeclaration,
  { start, generation, nowMs }: { start: Start; generation: number | undefined; nowMs: number },
): RunbookStatus {
  const { handled, scheduledAt, request, waiting, run = 0 } = status
  const kept = { handled, scheduledAt, request, waiting }
  const history = [...summaryOf(status), ...(status.history ?? [])].slice(0, historyMax)
  const leaves = leavesOf(steps)
  return {
    state: 'Running',
    run: run + 1,
    ...start,
    progress: `0/${leaves.length}`,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    startedAt: secondsTime(nowMs),
    steps: leaves.map(({ id }) => ({ name: id, state: 'Pending' })),
    ...(history.length === 0 ? {} : { history }),
    ...definedOf(kept),
  }
}

/** The last run as an entry of the history. */
function summaryOf(status: RunbookStatus): RunSummary[] {
  const { run, state, cause, message, startedAt, finishedAt } = status
  if (run === undefined || state === undefined || cause === undefined) return []
  return [{ run, state, cause, ...definedOf({ message, startedAt, finishedAt }) }]
}

/** Cancels a run, and the steps that have not ended. */
export function cancelRun(
  statuses: RunbookStatuses,
  runbook: string,
  { message, nowMs }: { readonly message: string; readonly nowMs: number },
): RunbookStatuses {
  const status = statuses[runbook]
  if (status?.state !== 'Running') return statuses
  return { ...statuses, [runbook]: cancelledRun(status, nowMs, message) }
}

function cancelledRun(status: RunbookStatus, nowMs: number, message: string): RunbookStatus {
  return {
    ...status,
    state: 'Cancelled',
    message,
    finishedAt: secondsTime(nowMs),
    steps: endedSteps(status.steps ?? [], nowMs),
  }
}

/** The steps of a run that ends: those that have not ended are cancelled. */
export function endedSteps(
  steps: NonNullable<RunbookStatus['steps']>,
  nowMs: number,
): NonNullable<RunbookStatus['steps']> {
  return steps.map((step) => {
    if (!['Pending', 'Running', 'Retrying'].includes(step.state)) return step
    const { retryAt: _, ...rest } = step
    const end = step.state === 'Pending' ? {} : { finishedAt: secondsTime(nowMs) }
    return { ...rest, state: 'Cancelled', ...end }
  })
}

/** Without the fields that are `undefined`. */
function definedOf<T extends object>(fields: T): { [Field in keyof T]?: NonNullable<T[Field]> } {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as { [Field in keyof T]?: NonNullable<T[Field]> }
}

/** After a failed run, the runbook for its failure waits to begin. */
export function failureWaits(
  statuses: RunbookStatuses,
  { name, onFailure }: RunbookDeclaration,
  { runbooks, nowMs }: { readonly runbooks: readonly RunbookDeclaration[]; readonly nowMs: number },
): RunbookStatuses {
  const failed = statuses[name]
  const next = runbooks.find((one) => one.name === onFailure)
  if (next === undefined || failed?.state !== 'Failed') return statuses
  const message = `${name} ${failed.run ?? ''} failed: ${failed.message ?? ''}`
  const cause = { type: 'Failure', message, runbook: name } as const
  const parameters = next.parse(undefined)
  const waiting = { cause, ...definedOf({ parameters }), since: secondsTime(nowMs) }
  return { ...statuses, [next.name]: { ...statuses[next.name], waiting } }
}
