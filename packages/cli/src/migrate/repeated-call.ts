import { isSetpointError } from 'setpoint'
import { isApiError } from 'setpoint/client'
import type { Timers } from 'setpoint/host'

const attemptsMax = 8
const firstWaitMs = 400
const waitMsMax = 10_000

/**
 * Makes a call that may be repeated, and repeats it for about a minute while the server cannot be
 * reached, is busy or reports a conflict: an upgrade of the control plane takes that long.
 */
export async function repeatedCall<Result>(
  host: Pick<Timers, 'sleep'>,
  call: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (attempt >= attemptsMax || !isPassing(error)) throw error
      await host.sleep(Math.min(firstWaitMs * 2 ** (attempt - 1), waitMsMax))
    }
  }
}

function isPassing(error: unknown): boolean {
  if (!isApiError(error)) return passingCodes.some((code) => isSetpointError(error, code))
  return [409, 429, 503].includes(error.status.code)
}

const passingCodes = [
  'NETWORK_CONNECT_FAILED',
  'NETWORK_CONNECTION_LOST',
  'NETWORK_TIMEOUT',
  'DEADLINE_EXCEEDED',
  'WRITE_OUTCOME_UNKNOWN',
] as const
