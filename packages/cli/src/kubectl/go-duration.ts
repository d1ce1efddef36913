import { KubectlProblem } from './kubectl-problem.ts'

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

/** `30s`, `1m30s`, `-1s`; a bare number is refused as Go does, except 0. */
export function readDurationMs(text: string, flag: string): number {
  if (text === '0') return 0
  const [, sign = '', parts = ''] = /^(-?)((?:\d+(?:\.\d+)?(?:ms|s|m|h))+)$/.exec(text) ?? []
  if (parts === '') {
    throw new KubectlProblem(
      `error: invalid argument ${JSON.stringify(text)} for "--${flag}" flag: time: invalid duration ${JSON.stringify(text)}`,
    )
  }
  let ms = 0
  for (const [, amount = '', unit = ''] of parts.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    ms += Number(amount) * (unitsMs[unit] ?? 0)
  }
  return sign === '-' ? -ms : ms
}

/** How long ago something was, as kubectl shortens it: `51s`, `2m3s`, `5h`, `3d4h`. */
export function ageText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return joined([minutes, 'm'], [seconds % 60, 's'])
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return joined([hours, 'h'], [minutes % 60, 'm'])
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 192) return joined([days, 'd'], [hours % 24, 'h'])
  if (days < 730) return `${days}d`
  const years = Math.floor(days / 365)
  return days < 2920 ? joined([years, 'y'], [days % 365, 'd']) : `${years}y`
}

function joined(large: readonly [number, string], small: readonly [number, string]): string {
  return large.join('') + (small[0] === 0 ? '' : small.join(''))
}
