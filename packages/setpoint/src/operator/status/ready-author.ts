import { type Key, keyOf } from '../../cache/index.ts'
import type { Clock } from '../../host/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { Logger } from '../../log/index.ts'
import { conditionManagers, conditionsOf } from './shared-status.ts'

/** The dependencies of a `ReadyAuthor`. */
interface ReadyAuthorOptions {
  readonly host: Pick<Clock, 'monotonicMs'>
  readonly log: Logger
  readonly fieldManager: string
}

/** The Ready condition of one object, as far as this operator has set it. */
interface Claim {
  /** The condition that this operator has written last, as text. */
  readonly written?: string | undefined
  /** The manager that replaced it, how often in a row, and when. */
  readonly by?: string
  readonly times: number
  readonly lastMs: number
  /** This operator leaves Ready to `by`. */
  readonly isLeft?: true
}

/** A change of Ready by someone else later than this is not part of the same dispute. */
const disputeMs = 60_000

/**
 * Decides who sets the derived Ready condition of an object when operators of several programs
 * serve the resource. Each of them would replace the condition of the other without end. So an
 * operator whose Ready was replaced several times in a row by the same field manager leaves it to
 * that manager: after a few times if its own name comes later in the alphabet, and later otherwise,
 * in case the other program states Ready and never leaves it.
 */
export class ReadyAuthor {
  readonly #options: ReadyAuthorOptions
  readonly #claims = new Map<Key, Claim>()
  readonly #logged = new Set<string>()

  constructor(options: ReadyAuthorOptions) {
    this.#options = options
  }

  /** Whether another program sets Ready of this object. */
  isOther(owner: ApiResource): boolean {
    return this.#claims.get(keyOf(owner.metadata))?.isLeft === true
  }

  /** Whether someone has replaced the Ready condition that this operator set. */
  isReplaced(owner: ApiResource): boolean {
    const written = this.#claims.get(keyOf(owner.metadata))?.written
    return written !== undefined && written !== readyText(owner)
  }

  /** Records who replaced Ready. `live` is the object as the server has it, with its managers. */
  recordReplaced(live: ApiResource): void {
    const { host, log, fieldManager } = this.#options
    const key = keyOf(live.metadata)
    const { by: last, times, lastMs } = this.#claims.get(key) ?? { times: 0, lastMs: 0 }
    const by = conditionManagers(live, 'Ready').find((manager) => manager !== fieldManager)
    if (by === undefined) {
      this.#claims.delete(key)
      return
    }
    const nowMs = host.monotonicMs()
    const isSame = by === last && nowMs - lastMs < disputeMs
    const claim = { by, times: isSame ? times + 1 : 1, lastMs: nowMs }
    if (claim.times < timesMax(fieldManager, by)) {
      this.#claims.set(key, claim)
      return
    }
    this.#claims.set(key, { ...claim, isLeft: true })
    if (this.#logged.has(by)) return
    this.#logged.add(by)
    const record = { object: key, manager: by }
    log.warn(record, 'another program sets Ready: this operator leaves it to that program')
  }

  /** Records the Ready condition that this operator has written. */
  recordWritten(written: ApiResource): void {
    const key = keyOf(written.metadata)
    const claim = this.#claims.get(key) ?? { times: 0, lastMs: 0 }
    this.#claims.set(key, { ...claim, written: readyText(written) })
  }

  /** Forgets a deleted object. */
  forget(key: Key): void {
    this.#claims.delete(key)
  }
}

/** How often Ready is replaced before an operator leaves it to the other manager. */
function timesMax(own: string, other: string): number {
  return own < other ? 6 : 2
}

function readyText(object: ApiResource): string {
  const ready = conditionsOf(object).find(({ type }) => type === 'Ready')
  return ready === undefined ? '' : JSON.stringify([ready.status, ready.reason, ready.message])
}
