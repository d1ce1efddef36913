/** The level of a record, or the lowest level that is written. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** A level of a record. */
export type RecordLevel = Exclude<LogLevel, 'silent'>

/** Writes a record: `(fields, message)`, or a message alone. Pass an error as the field `err`. */
export type LogFn = (fields: object | string, message?: string) => void

/** A logger. It is compatible with pino: any pino logger can be used. */
export interface Logger {
  readonly trace: LogFn
  readonly debug: LogFn
  readonly info: LogFn
  readonly warn: LogFn
  readonly error: LogFn
  /** A logger that adds these fields to every record. */
  child(fields: object): Logger
  /** Whether records of a level are written: check it before preparing an expensive record. */
  isLevelEnabled?(level: RecordLevel): boolean
}

/** pino's numbers, which log pipelines know. */
export const levelNumbers: Readonly<Record<LogLevel, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  silent: Infinity,
}
