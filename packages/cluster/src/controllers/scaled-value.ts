/** A number of pods or a percentage: `2` or `'25%'`. */
type IntOrPercent = number | string

/** Resolves a number or a percentage of `total` to a number of pods. */
export function scaledValue(
  value: IntOrPercent | undefined,
  total: number,
  round: 'up' | 'down',
): number {
  if (value === undefined) return 0
  if (typeof value === 'number') return value
  const share = (total * Number.parseInt(value, 10)) / 100
  return round === 'up' ? Math.ceil(share) : Math.floor(share)
}
