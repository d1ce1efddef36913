import { ApiError } from '../status/index.ts'

/** Answers above this size count. Smaller ones are bounded by the number of connections. */
const countedAbove = 1024 * 1024
/** What all large answers that clients have not read yet can hold together. */
const bytesMax = 256 * 1024 * 1024
const retryAfterSeconds = 1

/** Counts the large answers that clients have not read yet, so that they cannot fill the heap. */
export class AnswersInFlight {
  #bytes = 0

  /**
   * Sends bytes as a body that counts until the client has read it. 429 when the clients already
   * have too much to read.
   */
  body(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array> {
    if (bytes.length <= countedAbove) return bytes
    if (this.#bytes + bytes.length > bytesMax) throw tooManyAnswers()
    this.#bytes += bytes.length
    return heldBody(bytes, () => {
      this.#bytes -= bytes.length
    })
  }
}

function tooManyAnswers(): ApiError {
  return new ApiError({
    code: 429,
    reason: 'TooManyRequests',
    message: `the clients of the embedded server have not read ${bytesMax} bytes of answers yet, please try again later`,
    details: { retryAfterSeconds },
  })
}

/** `release` is called once: when the body was read, or when the client left. */
function heldBody(bytes: Uint8Array, release: () => void): AsyncIterable<Uint8Array> {
  let left: Uint8Array | undefined = bytes
  let isHeld = true
  const end = async (): Promise<IteratorReturnResult<undefined>> => {
    if (isHeld) release()
    isHeld = false
    left = undefined
    return { done: true, value: undefined }
  }
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    const value = left
    left = undefined
    return value === undefined ? end() : { done: false, value }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}
