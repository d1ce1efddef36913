import type { RunbookStatus } from '../../definition/index.ts'
import type { RecordedEvent } from '../../events/index.ts'
import type { RunbookStatuses } from '../../runbooks/index.ts'

/** A report to people about a change of a runbook. */
export interface RunbookReport {
  readonly event: RecordedEvent
  readonly runbook: string
  /** The result of a run that has ended. */
  readonly result?: 'complete' | 'failed' | 'cancelled'
}

const ends = {
  Complete: { type: 'Normal', reason: 'RunbookComplete', result: 'complete' },
  Failed: { type: 'Warning', reason: 'RunbookFailed', result: 'failed' },
  Cancelled: { type: 'Normal', reason: 'RunbookCancelled', result: 'cancelled' },
} as const

/** The Events for the differences between two states of the runbooks of an object. */
export function runbookReports(before: RunbookStatuses, after: RunbookStatuses): RunbookReport[] {
  return Object.entries(after).flatMap(([runbook, status]) => {
    const known = before[runbook] ?? {}
    const reports: RunbookReport[] = []
    // A run that was cancelled for the next one is in the history.
    for (const run of [...[...(status.history ?? [])].reverse(), status]) {
      const isKnown = (run.run ?? 0) < (known.run ?? 0)
      if (isKnown || run.run === undefined) continue
      const { cause, message = '' } = run
      const title = `${runbook} ${run.run}`
      if (run.run !== known.run) {
        const started = { type: 'Normal', reason: 'RunbookStarted' } as const
        reports.push({
          runbook,
          event: { ...started, message: `${title}: ${cause?.message ?? ''}` },
        })
      }
      const end = endOf(run, known)
      if (end === undefined) continue
      const { result, ...event } = end
      reports.push({ runbook, result, event: { ...event, message: `${title}: ${message}` } })
    }
    if (status.refusal !== undefined && status.refusal !== known.refusal) {
      const message = `${runbook}: ${status.refusal}`
      reports.push({ runbook, event: { type: 'Warning', reason: 'RunbookRefused', message } })
    }
    return reports
  })
}

function endOf(
  { run, state }: Pick<RunbookStatus, 'run' | 'state'>,
  known: RunbookStatus,
): (typeof ends)[keyof typeof ends] | undefined {
  if (state === undefined || state === 'Pending' || state === 'Running') return undefined
  return run === known.run && state === known.state ? undefined : ends[state]
}
