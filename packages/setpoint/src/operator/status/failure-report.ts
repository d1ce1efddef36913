import { keyOf } from '../../cache/index.ts'
import type { Run } from '../../controller/index.ts'
import { type Logger, plainError } from '../../log/index.ts'
import type { EventRecorder } from '../events/event-recorder.ts'
import type {
  ApiResource,
  OperatorDeclaration,
  StatedFields,
} from '../declare/operator-declaration.ts'
import type { StatedCondition } from '../declare/operator-types.ts'
import { isPassing } from '../reconcile/run-errors.ts'
import type { SharedFailures } from './shared-failures.ts'
import type { StatusWriter } from './status-writer.ts'

/** What reporting needs. */
interface FailureReportOptions {
  readonly declaration: OperatorDeclaration
  readonly log: Logger
  readonly statuses: StatusWriter
  readonly events: EventRecorder
  readonly shared: SharedFailures
}

/** The run that failed, and what its handlers have to say. */
interface Telling {
  readonly run: Run
  readonly ofHandlers?: string | undefined
}

/** The reason of conditions and Events about runs that failed. */
export const failureReason = 'ReconcileFailed'

/** Makes failures visible where people look: in the object's Ready condition and as an Event. */
export class FailureReport {
  readonly #options: FailureReportOptions

  constructor(options: FailureReportOptions) {
    this.#options = options
  }

  /** Tells why a run failed, beside what its handlers have to say. It never throws: the failure itself is what counts. */
  async tell(owner: ApiResource, error: unknown, { run, ofHandlers }: Telling): Promise<void> {
    // Whoever ended the run tells why, if that has to be told.
    if (run.signal.aborted || isPassing(error)) return
    await this.record(owner, textOf(error), run.signal)
    const message = this.note(owner, failureText(error, ofHandlers)) ?? ''
    await this.#try('write the status', () => this.#writeCondition(owner, message, run))
  }

  /** Notes what a run failed with, if it did. Returns what Ready has to say: operators of the resource share it. */
  note({ metadata }: ApiResource, failure: string | undefined): string | undefined {
    const { shared, declaration } = this.#options
    return shared.note(keyOf(metadata), declaration.options.name, failure)
  }

  /** Whether no operator of the resource has a failure that is not known yet. */
  areKnown({ metadata }: ApiResource): boolean {
    return this.#options.shared.isKnown(keyOf(metadata))
  }

  /** Tells of a failure as an Event alone: of what is no run, or says itself what the status should be. */
  async record(owner: ApiResource, note: string, signal?: AbortSignal): Promise<void> {
    if (this.#options.declaration.options.failureEvents === false) return
    const event = { type: 'Warning', reason: failureReason, message: shortened(note) } as const
    await this.#try('record an Event', () => this.#options.events.record(owner, event, signal))
  }

  /** The other fields of the status stay as they are: they were true when they were written. */
  async #writeCondition(owner: ApiResource, message: string, run: Run): Promise<void> {
    const { declaration, statuses } = this.#options
    if (declaration.definition?.conditions.includes('Ready') !== true) return
    const stated = withReady(statuses.stated(owner), failureCondition(message))
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
  return { status: 'False', reason: failureReason, message: shortened(failure) }
}

/** The same status with another Ready condition. */
export function withReady(stated: StatedFields, Ready: StatedCondition): StatedFields {
  return { ...stated, conditions: { ...stated.conditions, Ready } }
}

/** What people are told of a run that failed, of its handlers, or of both; `undefined` when there is nothing to tell. */
export function failureText(error: unknown, ofHandlers: string | undefined): string | undefined {
  const ofRun = error === undefined || isPassing(error) ? [] : [textOf(error)]
  const texts = [...ofRun, ...(ofHandlers === undefined ? [] : [ofHandlers])]
  return texts.length === 0 ? undefined : texts.join('; ')
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const charactersMax = 1000

/** Refusals quote whole objects and say what is wrong at their end: of a long text both ends are kept. */
function shortened(text: string): string {
  if (text.length <= charactersMax) return text
  const half = charactersMax / 2 - 3
  return `${text.slice(0, half)} ... ${text.slice(-half)}`
}
