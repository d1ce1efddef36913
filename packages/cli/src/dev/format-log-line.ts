import type { ShownLine } from './view.ts'

/** Fields of a log record that are shown elsewhere, or repeat in every record. */
const leftOut = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'run', 'operator', 'err'])

/** Messages that `setpoint dev` shows as separate events. */
const shownElsewhere = new Set(['starting', 'all caches are synced', 'stopped'])

/** How an output line of the operators is shown; undefined for the records of ended reconciles. */
export function formatLogLine(line: string): ShownLine | undefined {
  const record = recordOf(line)
  if (record === undefined) return { level: 'output', text: line }
  const { level, msg, err } = record
  if (shownElsewhere.has(msg) || ('durationMs' in record && 'result' in record)) return undefined
  const fields = Object.entries(record)
    .filter(([name]) => !leftOut.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const message = (err as { readonly message?: string } | undefined)?.message
  const error = message === undefined ? [] : [`(${message})`]
  return {
    level: level >= 50 ? 'error' : level >= 40 ? 'warn' : 'info',
    text: [msg, ...error, ...fields].join('  '),
  }
}

type LogRecord = Readonly<Record<string, unknown>> & {
  readonly level: number
  readonly msg: string
}

function recordOf(line: string): LogRecord | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const value = JSON.parse(line) as Partial<LogRecord>
    return typeof value.level === 'number' && typeof value.msg === 'string'
      ? (value as LogRecord)
      : undefined
  } catch {
    // Output of the author's code that only looks like JSON.
    return undefined
  }
}
