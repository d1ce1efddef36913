import type { Key } from '../../cache/index.ts'
import type { EventRecorder } from '../../events/index.ts'
import type { Host } from '../../host/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { type Logger, plainError } from '../../log/index.ts'
import type { MetricsRegistry } from '../../metrics/index.ts'
import type { OperatorDeclaration } from '../declare/operator-declaration.ts'
import type { RunbookReport } from './runbook-reports.ts'
import { StepTasks } from './step-tasks.ts'

const runs = {
  name: 'setpoint_runbook_runs_total',
  help: 'Total number of runs of runbooks per controller, runbook and result.',
  labels: ['controller', 'runbook', 'result'],
} as const

/** The dependencies of the runbooks of an operator. */
interface RunbookRuntimeOptions {
  readonly declaration: OperatorDeclaration
  readonly host: Host
  readonly log: Logger
  readonly events: EventRecorder
  readonly metrics: MetricsRegistry
}

/** What the runbooks of all objects of one operator share in this process. */
export class RunbookRuntime {
  readonly #options: RunbookRuntimeOptions
  readonly tasks: StepTasks
  /** Enqueues an object. Set when the operator begins to work. */
  trigger: (key: Key, why: string) => void = () => undefined

  constructor(options: RunbookRuntimeOptions) {
    this.#options = options
    this.tasks = new StepTasks(options.host)
  }

  /** Reports a change of a runbook to people, in an Event, the log and a metric. */
  async report(
    owner: ApiResource,
    { event, runbook, result }: RunbookReport,
    { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
  ): Promise<void> {
    const { declaration, events, metrics } = this.#options
    const level = event.type === 'Warning' ? 'warn' : 'info'
    log[level]({ runbook }, `runbook ${event.message}`)
    if (result !== undefined) {
      metrics.counter(runs).add({ controller: declaration.options.name, runbook, result })
    }
    try {
      await events.record(owner, event, signal)
    } catch (error) {
      const err = plainError(error, { stack: false })
      log.warn({ err }, 'failed to record an Event about a runbook')
    }
  }
}
