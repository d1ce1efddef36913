import type { Run } from '../controller/index.ts'
import { isSetpointError } from '../errors/index.ts'
import { type Logger, plainError } from '../log/index.ts'
import type { EventRecorder } from './event-recorder.ts'
import type { ApiResource, OperatorDeclaration, StatedFields } from './operator-declaration.ts'
import type { StatedCondition } from './operator-types.ts'
import type { StatusWriter } from './status-writer.ts'

/** What reporting needs. */
interface FailureReportOptions {
  readonly declaration: OperatorDeclaration
  readonly log: Logger
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
    // Whoever ended the run tells why, if that has to be told.
    if (run.signal.aborted || passing.some((code) => isSetpointError(error, code))) return
    const note = error instanceof Error ? error.message : String(error)
    await this.record(owner, note, run.signal)
    await this.#try('write the status', () => this.#writeCondition(owner, note, run))
  }

  /** Tells of a failure as an Event alone: of what is no run, or says itself what the status should be. */
  async record(owner: ApiResource, note: string, signal?: AbortSignal): Promise<void> {
    if (this.#options.declaration.options.failureEvents === false) return
    const event = { type: 'Warning', reason, note: shortened(note) } as const
    await this.#try('record an Event', () => this.#options.events.record(owner, event, signal))
  }

  /** The other fields of the status stay as they are: they were true when they were written. */
  async #writeCondition(owner: ApiResource, message: string, run: Run): Promise<void> {
    const { declaration, statuses } = this.#options
    if (declaration.definition?.conditions.includes('Ready') !== true) return
    const stated = withFailure(statuses.stated(owner), message)
    if (statuses.differs(owner, stated)) await statuses.write(owner, stated, { run })
  }

  async #try(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const err = plainError(error, { stack: false })
      this.#options.log.warn({ err }, `a failure could not be told: to ${what} failed`)
    }
  }
}

/** The Ready condition that tells of a failure. */
export function failureCondition(failure: string): StatedCondition {
  return { status: 'False', reason, message: shortened(failure) }
}

/** The same status with a Ready condition that tells of a failure. */
export function withFailure(stated: StatedFields, failure: string): StatedFields {
  return { ...stated, conditions: { ...stated.conditions, Ready: failureCondition(failure) } }
}

const charactersMax = 1000

/** Refusals quote whole objects and say what is wrong at their end: of a long text both ends are kept. */
function shortened(text: string): string {
  if (text.length <= charactersMax) return text
  const half = charactersMax / 2 - 3
  return `${text.slice(0, half)} ... ${text.slice(-half)}`
}
