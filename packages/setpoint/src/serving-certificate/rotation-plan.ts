/** When a certificate is valid, as epoch milliseconds. */
export interface Validity {
  /** When it was made. */
  readonly fromMs: number
  readonly untilMs: number
}

/** What a rotation depends on: the content of the Secret, and the registrations. */
export type RotationState =
  /** The Secret does not exist, is empty, or has no usable content. */
  | { readonly has: 'nothing' }
  | {
      readonly has: 'certificate'
      /** The authority that signed the serving certificate. */
      readonly ca: Validity
      /** The authority that is announced in the bundle, and signs nothing yet. */
      readonly nextCa: Validity | undefined
      /** Whether the bundle has authorities that sign nothing any more. */
      readonly hasFormerCa: boolean
      readonly serving: Validity
      /** Whether the serving certificate has all wanted hosts. */
      readonly coversHosts: boolean
      /** Since when all registrations have this bundle. */
      readonly registeredMs: number | undefined
    }

/** The times of a rotation. */
export interface RotationTimes {
  /** How long clients trust two authorities before and after the new one signs. */
  readonly overlapMs: number
  /** The part of its lifetime after which a certificate is replaced. */
  readonly renewAfter: number
}

/**
 * A change of the Secret. `create`: a first authority. `announce`: another authority enters the
 * bundle. `promote`: it signs a new serving certificate. `retire`: the former authority leaves the
 * bundle. `renew`: the authority signs a new serving certificate.
 */
export type RotationChange = 'create' | 'announce' | 'promote' | 'retire' | 'renew'

/** The next step of a rotation. */
type RotationStep =
  { readonly do: RotationChange } | { readonly do: 'wait'; readonly untilMs: number }

/** Decides the next step of a rotation. */
export function planRotation(
  state: RotationState,
  nowMs: number,
  { overlapMs, renewAfter }: RotationTimes,
): RotationStep {
  if (state.has === 'nothing') return { do: 'create' }
  const { ca, nextCa, hasFormerCa, serving, coversHosts, registeredMs = Infinity } = state
  const dueMs = ({ fromMs, untilMs }: Validity) => fromMs + (untilMs - fromMs) * renewAfter
  // Nothing that the authority signed is valid any more: there is no reason to wait.
  if (nowMs >= ca.untilMs) {
    return { do: nextCa !== undefined && nowMs < nextCa.untilMs ? 'promote' : 'create' }
  }
  const times: readonly (readonly [RotationChange, number])[] = [
    ['retire', hasFormerCa ? serving.fromMs + overlapMs : Infinity],
    [
      'promote',
      nextCa === undefined ? Infinity : Math.max(nextCa.fromMs, registeredMs) + overlapMs,
    ],
    ['announce', nextCa === undefined ? dueMs(ca) : Infinity],
    ['renew', coversHosts ? dueMs(serving) : nowMs],
  ]
  const due = times.find(([, atMs]) => atMs <= nowMs)
  if (due !== undefined) return { do: due[0] }
  return { do: 'wait', untilMs: Math.min(ca.untilMs, ...times.map(([, atMs]) => atMs)) }
}
