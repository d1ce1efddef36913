/** A call that failed. The message is that of a real server's HTTP client. */
export class OutboundError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OutboundError'
  }
}
