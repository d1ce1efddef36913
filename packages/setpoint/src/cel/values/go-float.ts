import { goFloat as goFinite } from '../../schema/go/go-print.ts'

/** A double as Go prints it with `%g`. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  return Object.is(value, -0) ? '-0' : goFinite(value)
}
