import { alternativeName } from '../certificates/alternative-name.ts'
import { SetpointError } from '../errors/index.ts'
import { type Duration, durationMs } from '../host/index.ts'
import type { RotationTimes } from './rotation-plan.ts'

/** The lifetimes of the certificates in a Secret. */
export interface CertificateLifetimes {
  /** Of an authority; `365d` by default. */
  readonly ca?: Duration | undefined
  /** Of a serving certificate; `90d` by default. */
  readonly serving?: Duration | undefined
  /**
   * How long clients trust two authorities before and after a new one signs; `10m` by default. All
   * replicas and API servers must notice a change within this time.
   */
  readonly overlap?: Duration | undefined
  /** The part of its lifetime after which a certificate is replaced; two thirds by default. */
  readonly renewAfter?: number | undefined
}

/** The options with all defaults. */
interface RotationSettings {
  readonly hosts: readonly string[]
  readonly times: RotationTimes
  readonly caLifetimeMs: number
  readonly servingLifetimeMs: number
  readonly checkMs: number
}

/** The largest difference between the clocks of two replicas. */
const clockDifferenceMs = 60_000

/** Applies the defaults, and refuses times with which clients could refuse a replica. */
export function rotationSettings(options: {
  readonly hosts: readonly string[]
  readonly lifetimes?: CertificateLifetimes | undefined
  readonly checkEvery?: Duration | undefined
}): RotationSettings {
  const { hosts, lifetimes = {}, checkEvery = '30s' } = options
  const settings: RotationSettings = {
    hosts,
    times: {
      overlapMs: durationMs(lifetimes.overlap ?? '10m', 'lifetimes.overlap'),
      renewAfter: lifetimes.renewAfter ?? 2 / 3,
    },
    caLifetimeMs: durationMs(lifetimes.ca ?? '365d', 'lifetimes.ca'),
    servingLifetimeMs: durationMs(lifetimes.serving ?? '90d', 'lifetimes.serving'),
    checkMs: durationMs(checkEvery, 'checkEvery'),
  }
  for (const host of hosts) alternativeName(host)
  const problem = problemOf(settings)
  if (problem === undefined) return settings
  throw new SetpointError(
    'PROCESS_INVALID',
    `the options of a serving certificate are invalid: ${problem}`,
    { hint: 'omit the lifetimes, or keep the proportions of 365d, 90d and 10m' },
  )
}

function problemOf(settings: RotationSettings): string | undefined {
  const { hosts, times, caLifetimeMs, servingLifetimeMs, checkMs } = settings
  const { overlapMs, renewAfter } = times
  if (hosts.length === 0) return 'hosts is empty'
  if (!(renewAfter > 0 && renewAfter < 1)) {
    return `lifetimes.renewAfter is ${renewAfter}, which is not between 0 and 1`
  }
  const overlapMsMin = 2 * checkMs + clockDifferenceMs
  if (overlapMs < overlapMsMin) {
    return `lifetimes.overlap is ${overlapMs} ms, less than ${overlapMsMin} ms: a replica could miss a change`
  }
  // The steps after the renewal time need this long before the certificate expires.
  if (Math.min(caLifetimeMs, servingLifetimeMs) * (1 - renewAfter) < 2 * overlapMs) {
    return 'lifetimes.ca or lifetimes.serving is too short for lifetimes.overlap'
  }
  return undefined
}
