/** The level of a record, or the lowest level that is written. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** A level of a record. */
export type SpokenLevel = Exclude<LogLevel, 'silent'>

/** Writes a record: `(fields, message)`, or a message alone. Pass an error as the field `err`. */
export type Say = (fields: object | string, message?: string) => void

/** A logger. Any pino is one, which is why the interface looks like pino's. */
export interface Logger {
  readonly trace: Say
  readonly debug: Say
  readonly info: Say
  readonly warn: Say
  readonly error: Say
  /** A logger that adds these fields to every record. */
  child(fields: object): Logger
  /** Whether records of a level are written: check it before preparing an expensive record. */
  isLevelEnabled?(level: SpokenLevel): boolean
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
