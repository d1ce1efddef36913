/** A pod that has the labels of the selector, or the label of the leader. */
export interface Candidate {
  /** Name and uid: a pod that is created again under its name is another candidate. */
  readonly id: string
  /** Whether it has the labels of the selector. */
  readonly isSelected: boolean
  readonly isReady: boolean
  /** Terminating, or finished: it never leads again. */
  readonly isEnding: boolean
  /** Whether it has the label of the leader. */
  readonly hasLabel: boolean
}

/** What the Lease says. */
export interface Term {
  /** The id of the leader; empty if there is none. */
  readonly holder: string
  /** The leader before, until its label is removed for certain. */
  readonly former: string
  readonly renewedMs: number
}

/** The state of one LeaderChoice. */
export interface LeaderState {
  readonly candidates: readonly Candidate[]
  /** `undefined` before the first choice. */
  readonly term: Term | undefined
  readonly leaseMs: number
  readonly nowMs: number
}

/** One write. After it, the state is read again. */
export type Action =
  /** Writes the leader into the Lease, and with it the one before. */
  | { readonly do: 'choose'; readonly holder: string; readonly former: string }
  /** Removes the label of the former leader, and makes older writes to that pod fail. */
  | { readonly do: 'fence'; readonly pod: string }
  /** Removes a label that the Lease does not justify. */
  | { readonly do: 'unlabel'; readonly pod: string }
  | { readonly do: 'label'; readonly pod: string }
  /** The leader is ready: its time starts again. */
  | { readonly do: 'renew' }
  | { readonly do: 'wait'; readonly ms: number }

/**
 * Decides the next write. The order guarantees that no two pods have the label: the Lease names the
 * new leader first, then the former one is fenced, then the new one gets the label. Each of them may
 * be the last write of a process; the next process continues from the state.
 */
export function nextAction({ candidates, term, leaseMs, nowMs }: LeaderState): Action {
  const holder = candidates.find(({ id }) => id === term?.holder)
  const wrong = candidates.find(({ id, hasLabel }) => hasLabel && id !== term?.holder)
  if (term !== undefined && term.former !== '') return { do: 'fence', pod: term.former }
  if (wrong !== undefined) return { do: 'unlabel', pod: wrong.id }
  const leftMs = (term?.renewedMs ?? 0) + leaseMs - nowMs
  const isLost = holder === undefined || holder.isEnding || !holder.isSelected
  if (isLost || (!holder.isReady && leftMs <= 0)) {
    const next = candidates.find((one) => one.isSelected && one.isReady && !one.isEnding)
    const former = term?.holder ?? ''
    // Without another candidate, a leader that is not ready stays: it may become ready again.
    if (next === undefined && !isLost) return { do: 'wait', ms: leaseMs }
    if (next === undefined && former === '') return { do: 'wait', ms: Infinity }
    return { do: 'choose', holder: next?.id ?? '', former }
  }
  if (!holder.hasLabel) return { do: 'label', pod: holder.id }
  if (!holder.isReady) return { do: 'wait', ms: leftMs }
  const dueMs = leftMs - (2 * leaseMs) / 3
  return dueMs <= 0 ? { do: 'renew' } : { do: 'wait', ms: dueMs }
}
