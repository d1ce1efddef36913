import type { Clock, Random } from '../host/index.ts'
import type { LeaseSpec } from '../kinds/index.ts'

/** The duration that means "released", as in client-go: a Lease cannot last zero seconds. */
const releasedSeconds = 1

/** The writer of a record. */
interface Candidate {
  readonly host: Clock & Random
  readonly identity: string
  readonly leaseMs: number
}

/** The record of a new holder. `before` is the current record, if the Lease exists. */
export function acquiredSpec(by: Candidate, before: LeaseSpec | undefined): LeaseSpec {
  const time = microTime(by.host)
  return {
    ...before,
    holderIdentity: by.identity,
    leaseDurationSeconds: by.leaseMs / 1000,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: before === undefined ? 0 : (before.leaseTransitions ?? 0) + 1,
  }
}

/** The renewed record of the holder. Restores a duration that was edited. */
export function renewedSpec(by: Candidate, before: LeaseSpec): LeaseSpec {
  return {
    ...before,
    leaseDurationSeconds: by.leaseMs / 1000,
    renewTime: microTime(by.host),
  }
}

/** The record of a released Lease. */
export function releasedSpec(by: Candidate, before: LeaseSpec): LeaseSpec {
  const time = microTime(by.host)
  return {
    ...before,
    holderIdentity: '',
    leaseDurationSeconds: releasedSeconds,
    acquireTime: time,
    renewTime: time,
  }
}

/**
 * Whether the last holder released the Lease itself. An empty holder is not enough: when a user
 * removed the holder, it keeps working until it notices.
 */
export function isReleased({ holderIdentity = '', leaseDurationSeconds }: LeaseSpec): boolean {
  return holderIdentity === '' && leaseDurationSeconds === releasedSeconds
}

/**
 * The current time as a MicroTime. The clock has milliseconds; the digits below are random, because
 * an unchanged record counts as not renewed, even if the holder's clock stands still.
 */
function microTime(host: Clock & Random): string {
  const micros = String(Math.floor(host.random() * 1000)).padStart(3, '0')
  return new Date(host.now()).toISOString().replace('Z', `${micros}Z`)
}
