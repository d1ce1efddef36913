import type { RunbookStatus, StepStatus } from '../definition/index.ts'
import { secondsTime } from '../events/index.ts'
import { endedSteps } from './admit-run.ts'
import { advanceStep, type Observation } from './advance-step.ts'
import { activeLeaves, leavesOf, type NamedLeaf } from './flow.ts'
import { shortText } from './status-texts.ts'
import type { RunbookDeclaration } from './step-node.ts'

/** An attempt that begins after the new status is stored. */
export interface BegunAttempt {
  readonly step: NamedLeaf
  readonly attempt: number
}

/** A run after a check of its active steps. */
interface AdvancedRun {
  readonly status: RunbookStatus
  readonly begun: readonly BegunAttempt[]
  /** When to look again without a change; `Infinity` if only a change can help. */
  readonly waitMs: number
}

/** Checks the current attempt of a step. */
type Observe = (step: NamedLeaf, status: StepStatus) => Observation

/** Advances a run as far as possible without waiting. */
export function advanceRun(
  runbook: RunbookDeclaration,
  status: RunbookStatus,
  { observe, nowMs }: { readonly observe: Observe; readonly nowMs: number },
): AdvancedRun {
  const begun: BegunAttempt[] = []
  let waitMs = Infinity
  let steps = stepsOf(runbook, status)
  const looked = new Set<string>()
  for (;;) {
    const step = activeLeaves(runbook.steps, steps).find(({ id }) => !looked.has(id))
    if (step === undefined) break
    const before = steps.find(({ name }) => name === step.id) ?? pending(step)
    const observed = observe(step, before)
    const advanced = advanceStep(step.leaf, { status: before, observed }, nowMs)
    steps = steps.map((one) => (one.name === step.id ? advanced.status : one))
    // Waiting needs no work: its condition is tested immediately.
    if (advanced.begins && step.leaf.is === 'wait') continue
    looked.add(step.id)
    waitMs = Math.min(waitMs, advanced.waitMs)
    if (advanced.begins) begun.push({ step, attempt: advanced.status.attempts ?? 1 })
    if (advanced.status.state === 'Failed') break
  }
  return endIfDone({ status: { ...status, steps }, begun, waitMs }, nowMs)
}

/** The steps of a run. A newer version of the operator may have other steps than the old one. */
function stepsOf({ steps }: RunbookDeclaration, status: RunbookStatus): StepStatus[] {
  const known = new Map((status.steps ?? []).map((step) => [step.name, step]))
  return leavesOf(steps).map((step) => known.get(step.id) ?? pending(step))
}

function pending({ id }: NamedLeaf): StepStatus {
  return { name: id, state: 'Pending' }
}

function endIfDone({ status, begun, waitMs }: AdvancedRun, nowMs: number): AdvancedRun {
  const steps = status.steps ?? []
  const failed = steps.find(({ state }) => state === 'Failed')
  const passed = steps.filter(({ state }) => state === 'Complete' || state === 'Skipped')
  const progress = `${passed.length}/${steps.length}`
  if (failed === undefined && passed.length < steps.length) {
    const current = steps.filter(({ state }) => state === 'Running' || state === 'Retrying')
    const message = shortText(current.map(stepMessage).join('; '))
    return { status: { ...status, progress, message }, begun, waitMs }
  }
  const end = { progress, finishedAt: secondsTime(nowMs) }
  const ended: Partial<RunbookStatus> =
    failed === undefined
      ? { state: 'Complete', message: `${steps.length} steps complete` }
      : // The other steps of a parallel group are cancelled.
        { state: 'Failed', message: stepMessage(failed), steps: endedSteps(steps, nowMs) }
  return { status: { ...status, ...end, ...ended }, begun: [], waitMs: Infinity }
}

function stepMessage({ name, state, attempts = 1, message }: StepStatus): string {
  const attempt = attempts > 1 ? ` (attempt ${attempts})` : ''
  return `${name}${attempt}: ${message ?? state.toLowerCase()}`
}
