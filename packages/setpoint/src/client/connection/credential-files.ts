import { SetpointError } from '../../errors/index.ts'
import type { Clock, Files } from '../../host/index.ts'

/** How long the content of a credential file is used before it is read again. */
const freshMs = 60_000

/**
 * A file that may be replaced while the process runs: service account tokens are renewed every
 * hour, authorities rarely. When it cannot be read, the previous content stays valid.
 */
export class RotatingFile {
  readonly #host: Files & Clock
  readonly #path: string
  #text: string | undefined
  #readMs = -Infinity
  #reading: Promise<string> | undefined

  constructor(host: Files & Clock, path: string) {
    this.#host = host
    this.#path = path
  }

  /** Whether it was read at most a minute ago. */
  get isUpToDate(): boolean {
    return this.#host.monotonicMs() - this.#readMs < freshMs
  }

  /** The content, read at most a minute ago. */
  async text(): Promise<string> {
    if (this.#text !== undefined && this.isUpToDate) return this.#text
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  /** The next call reads the file again. */
  expire(): void {
    this.#readMs = -Infinity
  }

  async #read(): Promise<string> {
    try {
      const text = new TextDecoder().decode(await this.#host.readFile(this.#path))
      if (text.trim() === '') {
        throw new SetpointError('CREDENTIALS_UNAVAILABLE', `the file ${this.#path} is empty`, {
          hint: 'try again: another process may be writing it',
        })
      }
      this.#text = text
      this.#readMs = this.#host.monotonicMs()
    } catch (error) {
      if (this.#text === undefined) throw error
      // A file that is being replaced may be missing or empty for a moment; the old content is
      // still valid.
    }
    return this.#text
  }
}
