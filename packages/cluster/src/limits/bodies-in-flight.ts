import { ApiError } from '../status/index.ts'

/** What all request bodies that have not arrived completely can hold together. */
const bytesMax = 256 * 1024 * 1024
const retryAfterSeconds = 1

/** Counts the bodies that arrive, so that clients that never finish cannot fill the memory. */
export class BodiesInFlight {
  #bytes = 0

  /** Counts a part of a body. 429 when there is too much already. */
  hold(bytes: number): void {
    if (this.#bytes + bytes > bytesMax) {
      throw new ApiError({
        code: 429,
        reason: 'TooManyRequests',
        message: `the clients of the embedded server have not finished ${bytesMax} bytes of requests yet, please try again later`,
        details: { retryAfterSeconds },
      })
    }
    this.#bytes += bytes
  }

  /** The body is complete, refused or lost. */
  release(bytes: number): void {
    this.#bytes -= bytes
  }
}
