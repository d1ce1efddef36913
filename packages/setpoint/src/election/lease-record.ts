import type { Clock, Random } from '../host/index.ts'
import type { LeaseSpec } from '../kinds/index.ts'

/** The one second that says "released", as client-go writes it: a lease cannot last zero seconds. */
const releasedSeconds = 1

/** Who writes a record, and for how long it is to hold. */
interface Candidate {
  readonly host: Clock & Random
  readonly identity: string
  readonly leaseMs: number
}

/** The record of somebody who becomes the holder. `before` is what the Lease says now, if it exists. */
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

/** The record of the holder, once more. A duration that somebody edited becomes the right one again. */
export function renewedSpec(by: Candidate, before: LeaseSpec): LeaseSpec {
  return {
    ...before,
    leaseDurationSeconds: by.leaseMs / 1000,
    renewTime: microTime(by.host),
  }
}

/** The record that says that nobody has to wait. */
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
 * Whether the last holder gave the Lease up itself. An empty holder alone does not say so: when a person
 * removed it, the holder works on until it notices.
 */
export function isReleased({ holderIdentity = '', leaseDurationSeconds }: LeaseSpec): boolean {
  return holderIdentity === '' && leaseDurationSeconds === releasedSeconds
}

/**
 * Now, as Kubernetes writes a MicroTime. The clock has milliseconds; the digits below are drawn by lot,
 * because a record that does not change counts as not renewed, even if the holder's clock stands still.
 */
function microTime(host: Clock & Random): string {
  const micros = String(Math.floor(host.random() * 1000)).padStart(3, '0')
  return new Date(host.now()).toISOString().replace('Z', `${micros}Z`)
}
