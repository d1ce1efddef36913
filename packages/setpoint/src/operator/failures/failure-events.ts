import type { EventRecorder } from '../../events/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { type Logger, plainError } from '../../log/index.ts'
import type { OperatorDeclaration } from '../declare/operator-declaration.ts'
import { failureReason, shortened } from './failure-text.ts'

interface FailureEventsOptions {
  readonly declaration: OperatorDeclaration
  readonly log: Logger
  readonly events: EventRecorder
}

/** Records failures as Kubernetes Events. It never throws: the failure must reach the queue. */
export class FailureEvents {
  readonly #options: FailureEventsOptions

  constructor(options: FailureEventsOptions) {
    this.#options = options
  }

  /** Records a Warning about an object, unless the operator has `failureEvents: false`. */
  async record(owner: ApiResource, message: string, signal?: AbortSignal): Promise<void> {
    const { declaration, events, log } = this.#options
    if (declaration.options.failureEvents === false) return
    const event = { type: 'Warning', reason: failureReason, message: shortened(message) } as const
    try {
      await events.record(owner, event, signal)
    } catch (error) {
      const err = plainError(error, { stack: false })
      log.warn({ err }, 'failed to report a reconcile error: the Event was not recorded')
    }
  }
}
