/** Prometheus' text format, version 0.0.4: the small pieces that have to be exactly right. */

/** What a scraper is told about the body. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** Decimal exponents up to here are written out by Go's shortest format. */
const exponentMin = -4
const exponentMax = 6

/**
 * A number as Go writes it. For values any spelling would do, but the bounds of buckets are labels: `1e-08`
 * and `1e-8` would be two series to a dashboard.
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

/** A help text on its one line. */
export function helpText(help: string): string {
  return help.replace(/[\\\n]/g, (char) => (char === '\n' ? '\\n' : '\\\\'))
}

/** A label as it stands between the braces. */
export function labelText(name: string, value: string): string {
  const escaped = value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
  return `${name}="${escaped}"`
}

/** One sample. `labels` is what stands between the braces, empty when there are none. */
export function sampleLine(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${numberText(value)}`
}
