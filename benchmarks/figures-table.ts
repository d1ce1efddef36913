import { table } from './table.ts'

/** The result of one program in one round. */
export interface RoundResult {
  readonly program: string
  readonly figures: Readonly<Record<string, number>>
}

/** The program to which others are compared. */
export const baseline = 'controller-runtime'

/**
 * A table of medians, with a column for each program and the ratio to the baseline. Empty when no
 * figure is shown.
 */
export function figuresTable(
  results: readonly RoundResult[],
  names: readonly string[],
  isShown: (what: string) => boolean = () => true,
): string {
  const figureNames = new Set(
    results.flatMap(({ figures }) => Object.keys(figures)).filter(isShown),
  )
  if (figureNames.size === 0) return ''
  const rows = [...figureNames].map((what) => {
    const medianOf = (program: string): number | undefined =>
      median(
        results.flatMap((result) =>
          result.program === program && what in result.figures ? [result.figures[what] ?? 0] : [],
        ),
      )
    const base = medianOf(baseline)
    return [
      what,
      ...names.map((name) => {
        const value = medianOf(name)
        if (value === undefined) return ''
        const isRelative = name !== baseline && base !== undefined && base > 0
        const ratio = isRelative && !what.includes('other programs')
        return `${rounded(value)}${ratio ? ` (${(value / base).toFixed(2)})` : ''}`
      }),
    ]
  })
  return table(['what', ...names], rows)
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle]
  if (upper === undefined || sorted.length % 2 === 1) return upper
  return (upper + (sorted[middle - 1] ?? upper)) / 2
}

function rounded(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
}
