import { RANDOM_BYTES_MAX } from './limits.ts'
import { misuse } from './misuse.ts'

/** Refuses an invalid number of random bytes. */
export function checkByteCount(count: number): void {
  if (Number.isInteger(count) && count >= 0 && count <= RANDOM_BYTES_MAX) return
  throw misuse(
    `${count} random bytes were requested`,
    `request a whole number from 0 to ${RANDOM_BYTES_MAX}`,
  )
}
