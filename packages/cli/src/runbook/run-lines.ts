import type { RunbookStatus, StepStatus } from 'setpoint'

/** The lines that show a runbook. */
export function runbookLines(name: string, status: RunbookStatus): string[] {
  const { state, run, cause, progress, message, history = [], waiting, refusal } = status
  const head = [
    `${name}: ${state ?? 'never run'}`,
    run === undefined ? undefined : `run ${run}, ${progress ?? ''} steps`,
  ]
  return [
    head.filter((part) => part !== undefined).join(', '),
    ...(cause === undefined ? [] : [`  cause: ${cause.message}`]),
    ...(message === undefined ? [] : [`  ${message}`]),
    ...(status.steps ?? []).map((step) => `    ${stepLine(step)}`),
    ...(waiting === undefined ? [] : [`  waiting: ${waiting.cause.message}`]),
    ...(refusal === undefined ? [] : [`  refused: ${refusal}`]),
    ...history.map((past) => `  run ${past.run}: ${past.state}, ${past.message ?? ''}`),
  ]
}

/** `migrate: Retrying, attempt 2, disk is full` */
function stepLine({ name, state, attempts = 1, message, object }: StepStatus): string {
  const parts = [
    `${name}: ${state}`,
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
    ...(message !== undefined ? [message] : object !== undefined ? [object] : []),
  ]
  return parts.join(', ')
}

/** The steps that differ from the last time, for a progress that is printed line by line. */
export function changedSteps(
  before: RunbookStatus | undefined,
  after: RunbookStatus | undefined,
): string[] {
  const known = new Map(
    (before?.run === after?.run ? (before?.steps ?? []) : []).map((step) => [
      step.name,
      stepLine(step),
    ]),
  )
  return (after?.steps ?? [])
    .filter((step) => step.state !== 'Pending' && known.get(step.name) !== stepLine(step))
    .map(stepLine)
}
