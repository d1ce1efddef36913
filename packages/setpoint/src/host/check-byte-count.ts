import { RANDOM_BYTES_MAX } from './limits.ts'
import { misuse } from './misuse.ts'

/** Refuses a number of random bytes that no host can give. */
export function checkByteCount(count: number): void {
  if (Number.isInteger(count) && count >= 0 && count <= RANDOM_BYTES_MAX) return
  throw misuse(
    `${count} random bytes were asked for`,
    `ask for a whole number of 0 to ${RANDOM_BYTES_MAX}`,
  )
}
