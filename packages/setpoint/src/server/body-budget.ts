import type { HttpBody, ServerResponse } from '../host/index.ts'

/** The memory for the bodies of all requests of a server. */
export class BodyBudget {
  /** The largest accepted body. */
  readonly bodyBytesMax: number
  #freeBytes: number

  constructor({ bodyBytesMax, totalBytes }: { bodyBytesMax: number; totalBytes: number }) {
    this.bodyBytesMax = bodyBytesMax
    this.#freeBytes = totalBytes
  }

  /** Takes memory; `false` when there is not enough. */
  take(sizeBytes: number): boolean {
    if (sizeBytes > this.#freeBytes) return false
    this.#freeBytes -= sizeBytes
    return true
  }

  giveBack(sizeBytes: number): void {
    this.#freeBytes += sizeBytes
  }
}

/** A body that is too large, now or ever. Its client gets the response. */
export class BodyRefusal extends Error {
  readonly response: ServerResponse

  constructor(response: ServerResponse) {
    super('a request body was refused')
    this.response = response
  }
}

const utf8 = new TextDecoder()
const firstBytes = 4096

/** One body, which counts in the budget of its server until it is released. */
export class BudgetedBody {
  readonly #budget: BodyBudget
  readonly #body: HttpBody
  #buffer = new Uint8Array()
  #isReleased = false

  constructor(budget: BodyBudget, body: HttpBody) {
    this.#budget = budget
    this.#body = body
  }

  /**
   * Reads the whole body; throws `BodyRefusal` when it is too large. The bytes are copied into one
   * buffer: a list of chunks would need a hundred times the memory of a body in tiny chunks.
   */
  async text(): Promise<string> {
    let sizeBytes = 0
    for await (const chunk of this.#body) {
      this.#reserve(sizeBytes + chunk.length)
      this.#buffer.set(chunk, sizeBytes)
      sizeBytes += chunk.length
    }
    return utf8.decode(this.#buffer.subarray(0, sizeBytes))
  }

  release(): void {
    this.#isReleased = true
    this.#budget.giveBack(this.#buffer.length)
    this.#buffer = new Uint8Array()
  }

  #reserve(neededBytes: number): void {
    const before = this.#buffer
    if (neededBytes <= before.length) return
    const { bodyBytesMax } = this.#budget
    if (neededBytes > bodyBytesMax) {
      const limit = `${bodyBytesMax / 1024 / 1024} MiB`
      throw new BodyRefusal(textResponse(413, `the request body is larger than ${limit}`))
    }
    const grown = Math.min(bodyBytesMax, Math.max(neededBytes, before.length * 2, firstBytes))
    if (this.#isReleased || !this.#budget.take(grown - before.length)) {
      throw new BodyRefusal(busyResponse)
    }
    this.#buffer = new Uint8Array(grown)
    this.#buffer.set(before)
  }
}

/** A response of one line. */
export function textResponse(status: number, text: string): ServerResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` }
}

/** The response when the server has no capacity left. */
export const busyResponse: ServerResponse = {
  ...textResponse(503, 'the server is busy: retry'),
  headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' },
}
