/** The bounds of both hosts, in one place so that they can be compared and questioned. */

/** Time for connecting when the request does not say. */
export const CONNECT_TIMEOUT_MS_DEFAULT = 10_000

/** Time that `HttpServer.close` leaves to requests under way when the caller does not say. */
export const CLOSE_GRACE_MS_DEFAULT = 10_000

/** The longest delay `setTimeout` understands; longer ones fire at once, with a warning. */
export const TIMER_STEP_MS_MAX = 2 ** 31 - 1

/** Idle time after which the kernel asks whether the other side is still there. */
export const TCP_KEEP_ALIVE_MS = 30_000

/** How long a server keeps an idle connection: longer than most clients keep theirs. */
export const SERVER_KEEP_ALIVE_MS = 75_000

/**
 * How long a server goes on discarding an upload after its answer. Closing at once would reset the
 * connection, and a reset can overtake the answer; waiting for ever would let an upload hold it.
 */
export const LINGER_MS = 2_000

/** How long another program may take when the caller does not say. */
export const COMMAND_TIMEOUT_MS_DEFAULT = 60_000

/** How much of each of its outputs is kept. */
export const COMMAND_OUTPUT_BYTES_MAX = 1024 * 1024

/** The most random bytes that can be asked for at once; Node cannot give more. */
export const RANDOM_BYTES_MAX = 2 ** 31 - 1

/** Agents kept: one per distinct set of TLS settings and proxy; the least recently used one goes first. */
export const AGENTS_MAX = 32

/** Idle sockets kept per agent and server. */
export const FREE_SOCKETS_MAX = 16

/** How much a client takes from a connection at once. */
export const READ_BYTES = 32 * 1024

/** How long a client keeps an idle connection: servers give theirs up after a minute and more. */
export const FREE_CONNECTION_MS_MAX = 50_000

/** Bytes a virtual connection holds unread, per direction, before its writer has to wait. */
export const WINDOW_BYTES = 64 * 1024

/** Lines kept in memory by a virtual host's trace and log; the oldest go first. */
export const LINES_MAX = 100_000
