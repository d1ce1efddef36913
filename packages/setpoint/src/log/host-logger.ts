import type { Clock, Environment, LogSink } from '../host/index.ts'
import { levelNumbers, type Logger, type LogLevel, type SpokenLevel } from './logger.ts'
import { plainError } from './plain-error.ts'
import { plainFields } from './plain-fields.ts'
import { prettyLine } from './pretty-line.ts'

/** Where records go, and what is asked about it. */
type LogHost = Clock & LogSink & Environment

/** How a logger behaves. */
interface HostLoggerOptions {
  /** From which level on; `LOG_LEVEL` in the environment unless given, else `info`. */
  readonly level?: LogLevel | undefined
}

/** A logger that writes to the host: pino's JSON for programs, one readable line for a person at a terminal. */
export function hostLogger(host: LogHost, options: HostLoggerOptions = {}): Logger {
  const asked = host.env('LOG_LEVEL') ?? ''
  const named = asked.toLowerCase()
  const level = options.level ?? (isLevel(named) ? named : 'info')
  const write = host.isTerminal ? prettyWriter(host) : jsonWriter(host)
  const logger = new HostLogger({ threshold: levelNumbers[level], write }, {})
  if (options.level === undefined && asked !== '' && !isLevel(named)) {
    const levels = Object.keys(levelNumbers).join(', ')
    logger.warn({ asked }, `LOG_LEVEL is none of ${levels}: info is taken`)
  }
  return logger
}

function isLevel(name: string): name is LogLevel {
  return Object.hasOwn(levelNumbers, name)
}

type Fields = Readonly<Record<string, unknown>>
type Write = (level: SpokenLevel, fields: Fields, message: string) => void

/** Our own implementation: a few lines of code, and no worker threads in the image. */
class HostLogger implements Logger {
  readonly #sink: { readonly threshold: number; readonly write: Write }
  readonly #fields: Fields

  constructor(sink: { readonly threshold: number; readonly write: Write }, fields: Fields) {
    this.#sink = sink
    this.#fields = fields
  }

  trace(fields: object | string, message?: string): void {
    this.#say('trace', fields, message)
  }

  debug(fields: object | string, message?: string): void {
    this.#say('debug', fields, message)
  }

  info(fields: object | string, message?: string): void {
    this.#say('info', fields, message)
  }

  warn(fields: object | string, message?: string): void {
    this.#say('warn', fields, message)
  }

  error(fields: object | string, message?: string): void {
    this.#say('error', fields, message)
  }

  child(fields: object): Logger {
    return new HostLogger(this.#sink, { ...this.#fields, ...fields })
  }

  isLevelEnabled(level: SpokenLevel): boolean {
    return levelNumbers[level] >= this.#sink.threshold
  }

  #say(level: SpokenLevel, said: object | string, message: string | undefined): void {
    if (!this.isLevelEnabled(level)) return
    const { write } = this.#sink
    // Made plain only now: most loggers are made for a run that has nothing to say.
    const common = plainFields(this.#fields)
    if (typeof said === 'string') write(level, common, message ?? said)
    else if (said instanceof Error) {
      const err = plainError(said, { stack: true })
      write(level, { ...common, err }, message ?? said.message)
    } else write(level, { ...common, ...plainFields(said) }, message ?? '')
  }
}

function jsonWriter(host: LogHost): Write {
  return (level, fields, msg) => {
    // Twice: it comes first, and no field of the same name replaces it.
    const head = { level: levelNumbers[level], time: host.now() }
    host.log(JSON.stringify({ ...head, ...fields, ...head, ...(msg === '' ? {} : { msg }) }))
  }
}

function prettyWriter(host: LogHost): Write {
  const colour = (host.env('NO_COLOR') ?? '') === '' && host.env('TERM') !== 'dumb'
  return (level, fields, message) =>
    host.log(prettyLine({ timeMs: host.now(), level, message, fields }, { colour }))
}
