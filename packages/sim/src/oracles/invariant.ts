import type { ClusterSnapshot } from '@setpoint/cluster'
import type { InferResource, Kind } from 'setpoint/kinds'
import type { Verdict } from '../report/finding.ts'

/** The true state of the cluster, for invariants. */
export interface StateView {
  /** All objects of a kind. */
  list<K extends Kind>(kind: K): InferResource<K>[]
}

/** What must be true of the cluster, by the author. */
export interface Invariant {
  readonly when: 'always' | 'never' | 'eventually'
  /** What is true, in a few words: `two members are ready`. */
  readonly name: string
  readonly holds: (state: StateView) => boolean
}

/** Must be true after every change of the state. */
export function always(name: string, holds: Invariant['holds']): Invariant {
  return { when: 'always', name, holds }
}

/** Must not be true after any change of the state. */
export function never(name: string, holds: Invariant['holds']): Invariant {
  return { when: 'never', name, holds }
}

/** Must be true when nothing changes any more. */
export function eventually(name: string, holds: Invariant['holds']): Invariant {
  return { when: 'eventually', name, holds }
}

/** Checks invariants during a run. Each broken one is noted once, with its time. */
export class InvariantMonitor {
  readonly broken = new Map<string, number>()
  readonly #invariants: readonly Invariant[]

  constructor(invariants: readonly Invariant[]) {
    this.#invariants = invariants
  }

  get isNeeded(): boolean {
    return this.#invariants.length > 0
  }

  /** After a change of the state. */
  changed(snapshot: ClusterSnapshot, timeMs: number): void {
    this.#check(snapshot, timeMs, ({ when }) => when !== 'eventually')
  }

  /** When nothing changes any more. */
  ended(snapshot: ClusterSnapshot, timeMs: number): void {
    this.#check(snapshot, timeMs, () => true)
  }

  #check(
    snapshot: ClusterSnapshot,
    timeMs: number,
    isDue: (invariant: Invariant) => boolean,
  ): void {
    const view = viewOf(snapshot)
    for (const invariant of this.#invariants) {
      if (!isDue(invariant) || this.broken.has(textOf(invariant))) continue
      if (invariant.holds(view) === (invariant.when === 'never')) {
        this.broken.set(textOf(invariant), timeMs)
      }
    }
  }
}

/** O20: the invariants of the author. */
export function judgeInvariants(broken: ReadonlyMap<string, number>): Verdict[] {
  if (broken.size === 0) return []
  return [{ oracle: 'O20', problem: 'an invariant is broken', details: [...broken.keys()] }]
}

function textOf({ when, name }: Invariant): string {
  return `${when}: ${name}`
}

function viewOf(snapshot: ClusterSnapshot): StateView {
  return {
    list: <K extends Kind>({ group, plural, apiVersion, kind }: K) =>
      (snapshot.buckets[`${group}/${plural}`] ?? []).map(
        ({ text }) => ({ apiVersion, kind, ...JSON.parse(`{${text}`) }) as InferResource<K>,
      ),
  }
}
