/**
 * log/: what a process says about its work.
 *
 * `hostLogger` writes records to the host: newline-delimited JSON in pino's format (decision 0012), or readable lines
 * when the log goes to a terminal. `start/` makes one, or takes any pino; operators get children of it in their
 * contexts. `plainError` makes an error into a field of a record.
 *
 * It promises that a record never throws, is of bounded size, and carries no secret: fields that are named like one
 * and the content of Secrets are redacted.
 */
export { hostLogger } from './host-logger.ts'
export type { Logger, LogLevel, Say } from './logger.ts'
export { plainError } from './plain-error.ts'
