import type { HttpResponse } from 'setpoint/host'

/** A body of one piece. */
export function wholeBody(bytes: Uint8Array): HttpResponse['body'] {
  let left: Uint8Array | undefined = bytes
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const value = left
        left = undefined
        return Promise.resolve(
          value === undefined ? { done: true, value: undefined } : { done: false, value },
        )
      },
      return: async () => Promise.resolve({ done: true, value: undefined }),
    }),
  }
}
