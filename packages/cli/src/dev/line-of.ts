import type { ShownLine } from './view.ts'

/** Fields of a record that are told elsewhere, or that nobody wants to read again and again. */
const leftOut = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'run', 'operator', 'err'])

/** Messages whose content `setpoint dev` tells in its own words. */
const toldElsewhere = new Set(['starting', 'all caches are synced', 'stopped'])

/** How a line that operators wrote is shown; the ends of runs are told otherwise. */
export function lineOf(line: string): ShownLine | undefined {
  const record = recordOf(line)
  if (record === undefined) return { level: 'output', text: line }
  const { level, msg, err } = record
  if (toldElsewhere.has(msg) || ('durationMs' in record && 'result' in record)) return undefined
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
    // The author's code prints what it likes.
    return undefined
  }
}
