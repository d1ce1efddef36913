import type { RecordLevel } from './logger.ts'

/** A record for a terminal. */
interface PrettyRecord {
  readonly timeMs: number
  readonly level: RecordLevel
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

const colours: Readonly<Record<RecordLevel, number>> = {
  trace: 90,
  debug: 36,
  info: 32,
  warn: 33,
  error: 31,
}

/**
 * A record as one line: `12:30:05.120Z INFO  message  name=value`. Only a stack has lines of its
 * own.
 */
export function prettyLine(record: PrettyRecord, options: { readonly colour: boolean }): string {
  const { timeMs, level, message, fields } = record
  const paint = (code: number, text: string): string =>
    options.colour ? `\u001b[${code}m${text}\u001b[0m` : text
  const time = new Date(timeMs).toISOString().slice(11)
  const { err, ...others } = fields
  const pairs = Object.entries(others).map(
    ([name, value]) => `${paint(2, `${name}=`)}${valueText(value)}`,
  )
  const { summary, stack } = errorTexts(err)
  const text = [visible(message), summary].filter((part) => part !== '').join(': ')
  const head = `${paint(2, time)} ${paint(colours[level], level.toUpperCase().padEnd(5))} ${text}`
  return [[head, ...pairs].join('  '), ...stack.map((line) => paint(2, line))].join('\n')
}

function errorTexts(err: unknown): { readonly summary: string; readonly stack: string[] } {
  if (typeof err !== 'object' || err === null) {
    return { summary: err === undefined ? '' : valueText(err), stack: [] }
  }
  const { message, code, stack } = err as { message?: unknown; code?: unknown; stack?: unknown }
  const words = typeof message === 'string' ? visible(message) : valueText(err)
  const isCoded = typeof code === 'string'
  return {
    summary: isCoded ? `${words} (${code})` : words,
    stack: typeof stack === 'string' ? stack.split('\n').map((line) => `  ${visible(line)}`) : [],
  }
}

/** A simple word as it is, everything else as JSON, so that one value cannot look like two. */
function valueText(value: unknown): string {
  if (typeof value === 'string' && /^[\w./:@%+-]+$/.test(value)) return value
  return visible(JSON.stringify(value))
}

/** Foreign text must neither break the line nor contain terminal control characters. */
function visible(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/\p{Cc}/gu, ' ')
}
