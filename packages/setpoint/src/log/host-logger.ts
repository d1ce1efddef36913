import type { Clock, Environment, LogSink } from '../host/index.ts'
import { levelNumbers, type Logger, type LogLevel, type RecordLevel } from './logger.ts'
import { plainError } from './plain-error.ts'
import { plainFields } from './plain-fields.ts'
import { prettyLine } from './pretty-line.ts'

/** The parts of the host that a logger needs. */
type LogHost = Clock & LogSink & Environment

/** The options of a logger. */
interface HostLoggerOptions {
  /** The lowest level that is written; `LOG_LEVEL` in the environment by default, or `info`. */
  readonly level?: LogLevel | undefined
}

/**
 * A logger that writes to the host: pino's JSON, or one readable line per record when the output is
 * a terminal.
 */
export function hostLogger(host: LogHost, options: HostLoggerOptions = {}): Logger {
  const requested = host.env('LOG_LEVEL') ?? ''
  const named = requested.toLowerCase()
  const level = options.level ?? (isLevel(named) ? named : 'info')
  const write = host.isTerminal ? prettyWriter(host) : jsonWriter(host)
  const logger = new HostLogger({ threshold: levelNumbers[level], write }, {})
  if (options.level === undefined && requested !== '' && !isLevel(named)) {
    const levels = Object.keys(levelNumbers).join(', ')
    logger.warn({ requested }, `LOG_LEVEL is not one of ${levels}: using info`)
  }
  return logger
}

function isLevel(name: string): name is LogLevel {
  return Object.hasOwn(levelNumbers, name)
}

type Fields = Readonly<Record<string, unknown>>
type Write = (level: RecordLevel, fields: Fields, message: string) => void

/** Setpoint's own implementation: it is small and needs no worker threads. */
class HostLogger implements Logger {
  readonly #sink: { readonly threshold: number; readonly write: Write }
  readonly #fields: Fields

  constructor(sink: { readonly threshold: number; readonly write: Write }, fields: Fields) {
    this.#sink = sink
    this.#fields = fields
  }

  trace(fields: object | string, message?: string): void {
    this.#write('trace', fields, message)
  }

  debug(fields: object | string, message?: string): void {
    this.#write('debug', fields, message)
  }

  info(fields: object | string, message?: string): void {
    this.#write('info', fields, message)
  }

  warn(fields: object | string, message?: string): void {
    this.#write('warn', fields, message)
  }

  error(fields: object | string, message?: string): void {
    this.#write('error', fields, message)
  }

  child(fields: object): Logger {
    return new HostLogger(this.#sink, { ...this.#fields, ...fields })
  }

  isLevelEnabled(level: RecordLevel): boolean {
    return levelNumbers[level] >= this.#sink.threshold
  }

  #write(level: RecordLevel, content: object | string, message: string | undefined): void {
    if (!this.isLevelEnabled(level)) return
    const { write } = this.#sink
    // The fields are converted only here, because most child loggers are never used.
    const common = plainFields(this.#fields)
    if (typeof content === 'string') write(level, common, message ?? content)
    else if (content instanceof Error) {
      const err = plainError(content, { stack: true })
      write(level, { ...common, err }, message ?? content.message)
    } else write(level, { ...common, ...plainFields(content) }, message ?? '')
  }
}

function jsonWriter(host: LogHost): Write {
  return (level, fields, msg) => {
    // The head is there twice: it comes first, and no field of the same name replaces it.
    const head = { level: levelNumbers[level], time: host.now() }
    host.log(JSON.stringify({ ...head, ...fields, ...head, ...(msg === '' ? {} : { msg }) }))
  }
}

function prettyWriter(host: LogHost): Write {
  const colour = (host.env('NO_COLOR') ?? '') === '' && host.env('TERM') !== 'dumb'
  return (level, fields, message) =>
    host.log(prettyLine({ timeMs: host.now(), level, message, fields }, { colour }))
}
