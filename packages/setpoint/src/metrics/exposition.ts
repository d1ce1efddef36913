/** The details of Prometheus' text format, version 0.0.4. */

/** The content type of the metrics. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** Go's shortest format writes numbers with decimal exponents in this range without an exponent. */
const exponentMin = -4
const exponentMax = 6

/**
 * A number as Go writes it. Values may have any notation, but the bounds of buckets are labels:
 * `1e-08` and `1e-8` would be two series to a dashboard.
 */
export function numberText(value: number): string {
  if (value === Infinity) return '+Inf'
  if (value === -Infinity) return '-Inf'
  if (Number.isNaN(value)) return 'NaN'
  const [digits = '', exponentText = ''] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  if (exponent >= exponentMin && exponent < exponentMax) return String(value)
  const sign = exponent < 0 ? '-' : '+'
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** A help text, escaped to one line. */
export function helpText(help: string): string {
  return help.replace(/[\\\n]/g, (char) => (char === '\n' ? '\\n' : '\\\\'))
}

/** A label in the text format. */
export function labelText(name: string, value: string): string {
  const escaped = value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
  return `${name}="${escaped}"`
}

/** One sample. `labels` is the text between the braces, empty when there are no labels. */
export function sampleLine(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${numberText(value)}`
}
