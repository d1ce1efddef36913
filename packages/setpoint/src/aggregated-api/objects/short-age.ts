/** The units of an age, and up to which age they are shown with a second one, and alone. */
const units = [
  { suffix: 's', ms: 1000, pairsBelowMs: 0, below: 120_000 },
  { suffix: 'm', ms: 60_000, pairsBelowMs: 600_000, below: 10_800_000 },
  { suffix: 'h', ms: 3_600_000, pairsBelowMs: 28_800_000, below: 172_800_000 },
  { suffix: 'd', ms: 86_400_000, pairsBelowMs: 691_200_000, below: 63_072_000_000 },
  { suffix: 'y', ms: 31_536_000_000, pairsBelowMs: 252_288_000_000, below: Infinity },
] as const

/** An age as kubectl prints it: `59s`, `2m1s`, `3h5m`, `5d3h`, `2y3d`. */
export function shortAge(ageMs: number): string {
  // Clocks differ.
  if (ageMs <= -2000) return '<invalid>'
  const ms = Math.max(0, ageMs)
  const index = units.findIndex(({ below }) => ms < below)
  const unit = units[index]
  if (unit === undefined) return '<invalid>'
  const whole = `${Math.floor(ms / unit.ms)}${unit.suffix}`
  const smaller = units[index - 1]
  if (smaller === undefined || ms >= unit.pairsBelowMs) return whole
  const rest = Math.floor((ms % unit.ms) / smaller.ms)
  return rest === 0 ? whole : `${whole}${rest}${smaller.suffix}`
}
