import { isApiError } from '../../client/index.ts'
import { GiveUpError, RetryLaterError, type Run } from '../../controller/index.ts'
import { headline, isSetpointError } from '../../errors/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { Kind } from '../../kinds/kind.ts'

/** Failures of the server, the network or the credentials: the next request would fail, too. */
const serverFailures: readonly string[] = [
  'ABORTED',
  'API_TOO_MANY_REQUESTS',
  'API_UNAUTHORIZED',
  'API_UNAVAILABLE',
  'CREDENTIALS_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'NETWORK_CONNECTION_LOST',
  'NETWORK_PROTOCOL_ERROR',
  'NETWORK_TIMEOUT',
  'WRITE_OUTCOME_UNKNOWN',
]

/** Errors that the next attempt resolves. They are retried and not reported. */
const transient = ['ABORTED', 'API_CONFLICT', 'RETRY_LATER'] as const

/** Whether an error is retried without being reported. */
export function isTransient(error: unknown): boolean {
  return transient.some((code) => isSetpointError(error, code))
}

/** Whether a server answered that the object of a reconcile does not exist. */
export function isNotFound(
  { metadata }: ApiResource,
  { plural, group }: Kind,
  error: unknown,
): boolean {
  if (!isApiError(error, 'API_NOT_FOUND')) return false
  const { name, kind, group: ofGroup = '' } = error.status.details ?? {}
  return name === metadata.name && kind === plural && ofGroup === group
}

/** Collects the errors of independent parts. A part that fails does not stop the others. */
export class ReconcileErrors {
  readonly #run: Pick<Run, 'signal'>
  readonly #endsReconcile: (error: unknown) => boolean
  readonly #errors: unknown[] = []

  /**
   * `endsReconcile` says after which errors, besides those of the server, no other part is tried.
   */
  constructor(run: Pick<Run, 'signal'>, endsReconcile: (error: unknown) => boolean = () => false) {
    this.#run = run
    this.#endsReconcile = endsReconcile
  }

  /** Runs one part. Its error is kept for the end, unless it ends the reconcile. */
  async attempt<T>(part: () => Promise<T>): Promise<T | undefined> {
    try {
      return await part()
    } catch (error) {
      if (this.#run.signal.aborted || isServerFailure(error) || this.#endsReconcile(error)) {
        throw error
      }
      this.#errors.push(error ?? new Error(`${String(error)} was thrown`))
      return undefined
    }
  }

  /** All errors as one; `undefined` when there is none. */
  get all(): unknown {
    return this.#errors.length === 0 ? undefined : joinErrors(this.#errors)
  }

  /** Throws the errors, if there are any. */
  end(): void {
    if (this.#errors.length > 0) throw joinErrors(this.#errors)
  }
}

function isServerFailure(error: unknown): boolean {
  return isSetpointError(error) && serverFailures.includes(error.code)
}

/** Combines errors. The retry time is the earliest of all. */
function joinErrors(errors: readonly unknown[]): unknown {
  const failures = errors.filter((error) => !isTransient(error))
  const reported = failures.length > 0 ? failures : errors
  const isGivenUp = errors.every(isGiveUp)
  if (reported.length === 1 && isGiveUp(reported[0]) === isGivenUp) return reported[0]
  const text = reported.map(headline).join('; ')
  if (failures.length === 0) {
    // A conflict is retried immediately, whatever the other errors ask for.
    const conflict = errors.find((error) => !isSetpointError(error, 'RETRY_LATER'))
    return conflict ?? new RetryLaterError(text, earliestOf(errors))
  }
  return isGivenUp ? new GiveUpError(text) : new AggregateError(failures, text)
}

function isGiveUp(error: unknown): boolean {
  return isSetpointError(error, 'GIVE_UP')
}

/** The earliest retry. If one of the errors has no time, the backoff decides. */
function earliestOf(errors: readonly unknown[]): { readonly after?: number } {
  const timesMs = errors.map((error) =>
    error instanceof RetryLaterError ? error.afterMs : undefined,
  )
  return timesMs.includes(undefined) ? {} : { after: Math.min(...(timesMs as number[])) }
}
