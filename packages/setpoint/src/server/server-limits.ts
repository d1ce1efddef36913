/** The limits of all servers of a process, in one place for review. */

/** How long the TLS handshake and the head of a request may take, unless a server has its own. */
export const HEAD_MS_MAX = 5_000

/** How long an exchange may take, from the head of the request to the end of the response. */
export const EXCHANGE_MS_MAX = 10_000

/** The largest accepted request body. */
export const BODY_BYTES_MAX = 1024 * 1024

/** The memory of a server for all request bodies at the same time. */
export const BODIES_BYTES_MAX = 32 * BODY_BYTES_MAX

/** How many lines about its clients a server logs per minute. */
export const LOG_LINES_PER_MINUTE = 20
