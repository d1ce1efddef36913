/**
 * log/: the log records of a process.
 *
 * `hostLogger` writes records to the host: newline-delimited JSON in pino's format (decision 0012),
 * or readable lines when the output is a terminal. `start/` creates one, or takes any pino;
 * operators get child loggers in their contexts. `plainError` turns an error into a field of a
 * record.
 *
 * Logging never throws. A record has a bounded size and contains no secret: fields with names of
 * secrets and the content of Secrets are redacted.
 */
export { hostLogger } from './host-logger.ts'
export type { Logger, LogLevel, LogFn } from './logger.ts'
export { plainError } from './plain-error.ts'
