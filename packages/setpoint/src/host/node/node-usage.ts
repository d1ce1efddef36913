import { readdirSync } from 'node:fs'
import type { ProcessUsage } from '../host.ts'

/** The resource usage of this process. */
export function nodeUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    heapTotalBytes: heapTotal,
    startedMs: performance.timeOrigin,
    openFiles: openFiles(),
  }
}

function openFiles(): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    // /proc might not be mounted.
    return undefined
  }
}
