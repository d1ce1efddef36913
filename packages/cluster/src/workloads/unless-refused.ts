import { isApiError } from 'setpoint/client'
import type { ErrorCode } from 'setpoint'

/** What a write gives, or `undefined` if it was refused for a reason that says that nothing is left to do. */
export async function unlessRefused<T>(
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
