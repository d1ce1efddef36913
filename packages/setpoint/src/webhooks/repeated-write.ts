import { isApiError } from '../client/index.ts'

/** Several replicas may write at the same time. */
const attemptsMax = 5

/** Repeats a step when the object changed between its read and its write. */
export async function repeatedWrite(step: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step()
    } catch (error) {
      const isChanged = isApiError(error, 'API_CONFLICT') || isApiError(error, 'API_INVALID')
      if (!isChanged || attempt === attemptsMax) throw error
    }
  }
}
