import type { Run } from '../controller/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { LogSink } from '../host/index.ts'
import type { EventRecorder } from './event-recorder.ts'
import type { ApiResource, OperatorDeclaration, StatedFields } from './operator-declaration.ts'
import type { StatusWriter } from './status-writer.ts'

/** What reporting needs. */
interface FailureReportOptions {
  readonly declaration: OperatorDeclaration
  readonly host: LogSink
  readonly statuses: StatusWriter
  readonly events: EventRecorder
}

/** The reason of conditions and Events about runs that failed. */
const reason = 'ReconcileFailed'

/** What passes by itself with the next try, and is nobody's business. */
const passing = ['ABORTED', 'API_CONFLICT', 'RETRY_LATER'] as const

/** Makes failures visible where people look: in the object's Ready condition and as an Event. */
export class FailureReport {
  readonly #options: FailureReportOptions

  constructor(options: FailureReportOptions) {
    this.#options = options
  }

  /** Tells why a run failed. It never throws: the failure itself is what counts. */
  async tell(owner: ApiResource, error: unknown, run: Run): Promise<void> {
    if (passing.some((code) => isSetpointError(error, code))) return
    const note = error instanceof Error ? error.message : String(error)
    const event = { type: 'Warning', reason, note } as const
    await this.#try('record an Event', () => this.#options.events.record(owner, event, run.signal))
    await this.#try('write the status', () => this.#writeCondition(owner, note, run))
  }

  /** The other fields of the status stay as they are: they were true when they were written. */
  async #writeCondition(owner: ApiResource, message: string, run: Run): Promise<void> {
    const { declaration, statuses } = this.#options
    if (declaration.definition?.conditions.includes('Ready') !== true) return
    const stated = withCondition(statuses.stated(owner), message.slice(0, 1000))
    if (statuses.differs(owner, stated)) await statuses.write(owner, stated, run)
  }

  async #try(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const { declaration, host } = this.#options
      const msg = `${declaration.options.name} could not ${what}`
      host.log(JSON.stringify({ level: 'warn', msg, error: String(error) }))
    }
  }
}

function withCondition(stated: StatedFields, message: string): StatedFields {
  const Ready = { status: 'False', reason, message } as const
  return { ...stated, conditions: { ...stated.conditions, Ready } }
}
