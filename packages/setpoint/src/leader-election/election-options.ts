import type { Client } from '../client/index.ts'
import { SetpointError } from '../errors/index.ts'
import { type Host, durationMs } from '../host/index.ts'
import type { ElectionSettings } from './election-settings.ts'

/** The current leadership, as far as this replica knows. */
interface Leadership {
  /** Whether this process leads. */
  readonly isLeader: boolean
  /** The identity in the Lease when it was last read or written; empty when there is none. */
  readonly holder: string
}

/** The settings of an election, its dependencies and callbacks. */
export interface ElectionOptions extends ElectionSettings {
  readonly host: Host
  readonly client: Client
  /** Called whenever `isLeader` or `holder` changed. It must not throw. */
  readonly onChange?: ((leadership: Leadership) => void) | undefined
  /** Called after every failed attempt; the election continues. It must not throw. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** The options with all defaults. */
export type CompleteOptions = {
  readonly [
    Name in Exclude<keyof ElectionOptions, 'leaseDuration' | 'renewDeadline' | 'retryPeriod'>
  ]-?: NonNullable<ElectionOptions[Name]>
} & { readonly leaseMs: number; readonly renewMs: number; readonly retryMs: number }

/** A renewal waits up to this much longer than `retryPeriod`. */
export const renewJitter = 0.2

/**
 * Applies the defaults, and refuses times that would allow two leaders, or that no renewal could
 * meet.
 */
export function completeOptions(options: ElectionOptions): CompleteOptions {
  const { host, client } = options
  const hostName = host.env('HOSTNAME')
  const complete: CompleteOptions = {
    host,
    client,
    name: options.name,
    namespace: options.namespace ?? client.namespace,
    identity:
      options.identity ?? (hostName === undefined || hostName === '' ? host.uuid() : hostName),
    leaseMs: durationMs(options.leaseDuration ?? '15s', 'leaseDuration'),
    renewMs: durationMs(options.renewDeadline ?? '10s', 'renewDeadline'),
    retryMs: durationMs(options.retryPeriod ?? '2s', 'retryPeriod'),
    releaseOnStop: options.releaseOnStop ?? true,
    onChange: options.onChange ?? (() => undefined),
    onFailure: options.onFailure ?? (() => undefined),
  }
  const problem = problemOf(complete)
  if (problem === undefined) return complete
  throw new SetpointError(
    'ELECTION_INVALID',
    `the options of the election ${complete.name} are invalid: ${problem}`,
    {
      hint: 'omit the times, or keep the proportions of 15 s, 10 s and 2 s',
    },
  )
}

function problemOf({ identity, leaseMs, renewMs, retryMs }: CompleteOptions): string | undefined {
  if (identity === '') return 'identity is empty, which means in a Lease that it has no holder'
  if (!Number.isInteger(leaseMs / 1000) || leaseMs <= 0) {
    return `leaseDuration is ${leaseMs} ms, but a Lease duration is in whole seconds`
  }
  // A duration of one second marks a released Lease.
  if (leaseMs < 2000) return `leaseDuration is ${leaseMs} ms, less than 2000 ms`
  if (!(renewMs < leaseMs)) {
    return `renewDeadline (${renewMs} ms) is not less than leaseDuration (${leaseMs} ms): two replicas could lead at the same time`
  }
  if (!(retryMs > 0)) return `retryPeriod is ${retryMs} ms, but it must be positive`
  if (!(renewMs > retryMs * (1 + renewJitter))) {
    return `renewDeadline (${renewMs} ms) is not more than ${1 + renewJitter} times retryPeriod (${retryMs} ms): a renewal could not be in time`
  }
  return undefined
}
