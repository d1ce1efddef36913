import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

/** The measured commit, and whether the sources had other changes. */
export function commitNow(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', 'packages', 'benchmarks') !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' (with changes)' : ''}`
}

/** The machine of the measurement. */
export function machineText(): string {
  const [cpu] = cpus()
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'})`
}
