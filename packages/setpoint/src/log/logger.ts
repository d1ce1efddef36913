/** How important a record is, from everything to nothing. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** A level at which something can be said. */
export type SpokenLevel = Exclude<LogLevel, 'silent'>

/** Says something: `(fields, message)`, or a message alone. An error belongs into the field `err`. */
export type Say = (fields: object | string, message?: string) => void

/** Takes records. Ours is one; so is every pino, which is why it looks like one. */
export interface Logger {
  readonly trace: Say
  readonly debug: Say
  readonly info: Say
  readonly warn: Say
  readonly error: Say
  /** A logger whose records all carry these fields. */
  child(fields: object): Logger
  /** Whether records of a level are wanted: asked before something costly is put together. */
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
