import { RANDOM_BYTES_MAX } from './limits.ts'
import { invalidCallError } from './invalid-call-error.ts'

/** Refuses an invalid number of random bytes. */
export function checkByteCount(count: number): void {
  if (Number.isInteger(count) && count >= 0 && count <= RANDOM_BYTES_MAX) return
  throw invalidCallError(
    `${count} random bytes were requested`,
    `request a whole number from 0 to ${RANDOM_BYTES_MAX}`,
  )
}
