/** A call that failed. The message is that of a real server's HTTP client. */
export class OutboundError extends Error {
  /** The status of the response; 503 if there is none. */
  readonly code: number

  constructor(message: string, code = 503) {
    super(message)
    this.name = 'OutboundError'
    this.code = code
  }
}
