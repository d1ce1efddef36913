/** The limits of both hosts, in one place for review. */

/** The default timeout of connecting. */
export const CONNECT_TIMEOUT_MS_DEFAULT = 10_000

/** The default time that `HttpServer.close` gives to requests in progress. */
export const CLOSE_GRACE_MS_DEFAULT = 10_000

/** The longest delay of `setTimeout`; longer ones fire immediately, with a warning. */
export const TIMER_STEP_MS_MAX = 2 ** 31 - 1

/** The idle time after which the kernel checks the other side. */
export const TCP_KEEP_ALIVE_MS = 30_000

/** How long a server keeps an idle connection: longer than most clients do. */
export const SERVER_KEEP_ALIVE_MS = 75_000

/**
 * How long a server discards an upload after its response. Closing immediately would reset the
 * connection, and a reset can overtake the response; without a limit an upload could keep the
 * connection open forever.
 */
export const LINGER_MS = 2_000

/** The default timeout of another program. */
export const COMMAND_TIMEOUT_MS_DEFAULT = 60_000

/** How much of each output is kept. */
export const COMMAND_OUTPUT_BYTES_MAX = 1024 * 1024

/** The most random bytes in one call; Node's limit. */
export const RANDOM_BYTES_MAX = 2 ** 31 - 1

/**
 * The number of agents: one per distinct TLS settings and proxy; the least recently used one is
 * dropped first.
 */
export const AGENTS_MAX = 32

/** Idle sockets kept per agent and server. */
export const FREE_SOCKETS_MAX = 16

/** How much a client reads from a connection in one call. */
export const READ_BYTES = 32 * 1024

/** How long a client keeps an idle connection: servers close theirs after a minute or more. */
export const FREE_CONNECTION_MS_MAX = 50_000

/** The unread bytes of a virtual connection, per direction, at which its writer has to wait. */
export const WINDOW_BYTES = 64 * 1024

/** How many lines of trace and log a virtual host keeps; the oldest are dropped first. */
export const LINES_MAX = 100_000
