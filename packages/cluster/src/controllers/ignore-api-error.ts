import { isApiError } from 'setpoint/client'
import type { ErrorCode } from 'setpoint'

/**
 * The result of a write, or `undefined` if the server refused it with this code, which means that
 * nothing is left to do.
 */
export async function ignoreApiError<T>(
  write: Promise<T>,
  code: ErrorCode & `API_${string}`,
): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (isApiError(error, code)) return undefined
    throw error
  }
}
