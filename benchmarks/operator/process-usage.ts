import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const ticksPerSecond = 100

/** User and system seconds of a process so far. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Seconds of CPU time that the machine has used since its start. */
export function busySeconds(): number {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  // user, nice, system, idle, iowait, then interrupts and steal time.
  const ticks = total.trim().split(/\s+/).slice(1, 9).map(Number)
  return ticks.reduce((sum, each, at) => (at === 3 || at === 4 ? sum : sum + each)) / ticksPerSecond
}

/** Resident memory of a process in MiB: now, and at its peak. */
export function residentMiB(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mib = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
  return { now: mib('VmRSS'), peak: mib('VmHWM') }
}

/** The requests of a process: how many, and how many are open. */
interface Activity {
  readonly count: number
  readonly open: number
}

interface IdleOptions {
  readonly activity?: () => Activity
  /** While this is false, the process has not begun, even if it is idle. */
  readonly hasStarted?: () => boolean
}

const windowMs = 2000
const sampleMs = 100
const idleCpuShareMax = 0.02
const idleRequestsMax = 2
const idleTimeoutMs = 120_000

/**
 * Waits until a process used almost no CPU and sent almost no requests for two seconds, and returns
 * when that time began. A process that waits for a busy machine has open requests, and does not
 * count as idle.
 */
export async function waitUntilIdle(pid: number, options: IdleOptions = {}): Promise<number> {
  const { activity = () => ({ count: 0, open: 0 }), hasStarted = () => true } = options
  const samples: { atMs: number; cpu: number; count: number }[] = []
  const deadlineMs = performance.now() + idleTimeoutMs
  for (;;) {
    const { count, open } = activity()
    const now = { atMs: performance.now(), cpu: cpuSeconds(pid), count }
    samples.push(now)
    while (samples[1] !== undefined && now.atMs - samples[1].atMs >= windowMs) samples.shift()
    const past = samples[0] ?? now
    const elapsedMs = now.atMs - past.atMs
    const usesNoCpu = now.cpu - past.cpu < (idleCpuShareMax * elapsedMs) / 1000
    const sendsNothing = open === 0 && count - past.count <= idleRequestsMax
    if (elapsedMs >= windowMs && usesNoCpu && sendsNothing && hasStarted()) return past.atMs
    if (now.atMs > deadlineMs)
      throw new Error(`the process was not idle within ${idleTimeoutMs / 1000} s`)
    await sleep(sampleMs)
  }
}
