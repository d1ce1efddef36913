import { isApiError } from '../../client/index.ts'
import { GiveUpError, RetryLaterError, type Run } from '../../controller/index.ts'
import { headline, isSetpointError } from '../../errors/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { ApiResource } from '../declare/operator-declaration.ts'

/** Failures of the server, of the way to it or of the right to work: what comes next would fail, too, and take its time. */
const ofServer = [
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
] as const

/** What passes by itself with the next try, and is nobody's business. */
const passing = ['ABORTED', 'API_CONFLICT', 'RETRY_LATER'] as const

/** Whether a failure passes by itself. */
export function isPassing(error: unknown): boolean {
  return passing.some((code) => isSetpointError(error, code))
}

/** Whether there is no use in going on with anything else. */
function concernsAll(error: unknown): boolean {
  return isSetpointError(error) && (ofServer as readonly string[]).includes(error.code)
}

/** What failed in a run whose other parts go on. */
export class RunErrors {
  readonly #run: Pick<Run, 'signal'>
  readonly #endsAll: (error: unknown) => boolean
  readonly #errors: unknown[] = []

  /** `endsAll` tells of further failures after which nothing else is worth doing. */
  constructor(run: Pick<Run, 'signal'>, endsAll: (error: unknown) => boolean = () => false) {
    this.#run = run
    this.#endsAll = endsAll
  }

  /** Does one part; what it fails with is kept for the end. */
  async attempt<T>(part: () => Promise<T>): Promise<T | undefined> {
    try {
      return await part()
    } catch (error) {
      if (this.#run.signal.aborted || concernsAll(error) || this.#endsAll(error)) throw error
      this.#errors.push(error ?? new Error(`${String(error)} was thrown`))
      return undefined
    }
  }

  /** What failed, as one error; `undefined` when nothing did. */
  get all(): unknown {
    return this.#errors.length === 0 ? undefined : together(this.#errors)
  }

  /** Throws what failed, if something did. */
  end(): void {
    if (this.#errors.length > 0) throw together(this.#errors)
  }
}

/** What several parts failed with, as one error: it is tried again as soon as one of them may be. */
function together(errors: readonly unknown[]): unknown {
  const failures = errors.filter((error) => !isPassing(error))
  const told = failures.length > 0 ? failures : errors
  const isHopeless = errors.every(isGivenUp)
  if (told.length === 1 && isGivenUp(told[0]) === isHopeless) return told[0]
  const text = told.map(headline).join('; ')
  if (failures.length === 0) {
    // After a lost race everything is looked at anew at once.
    const race = errors.find((error) => !isSetpointError(error, 'RETRY_LATER'))
    return race ?? new RetryLaterError(text, soonestOf(errors))
  }
  return isHopeless ? new GiveUpError(text) : new AggregateError(failures, text)
}

function isGivenUp(error: unknown): boolean {
  return isSetpointError(error, 'GIVE_UP')
}

/** When the first of several is to be tried again; as their backoff says if one of them does not tell. */
function soonestOf(errors: readonly unknown[]): { readonly after?: number } {
  const timesMs = errors.map((error) =>
    error instanceof RetryLaterError ? error.afterMs : undefined,
  )
  return timesMs.includes(undefined) ? {} : { after: Math.min(...(timesMs as number[])) }
}

/** Whether a server said that an object is not there any more. */
export function isGone(
  { metadata }: ApiResource,
  { plural, group }: Kind,
  error: unknown,
): boolean {
  if (!isApiError(error, 'API_NOT_FOUND')) return false
  const { name, kind, group: ofGroup = '' } = error.status.details ?? {}
  return name === metadata.name && kind === plural && ofGroup === group
}
