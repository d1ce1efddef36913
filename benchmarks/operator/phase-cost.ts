import type { Requests } from './audit-log.ts'
import type { AuditedPlane } from './audited-plane.ts'
import type { MeasuredProgram } from './measured-program.ts'
import type { Observer } from './observer.ts'
import { busySeconds, cpuSeconds, waitUntilIdle } from './process-usage.ts'

/** The results, by their names in the table. */
export type Figures = Readonly<Record<string, number>>

/** Results on one line, for the progress output. */
export function summaryOf(figures: Figures): string {
  const parts = Object.entries(figures).map(
    ([what, value]) => `${what} ${Number(value.toFixed(2))}`,
  )
  return parts.join('; ').replaceAll(/(?<=; )\w+: /g, '')
}

/** The state that the phases of one operator share. */
export interface PhaseSetup {
  readonly plane: AuditedPlane
  readonly observer: Observer
  readonly operator: MeasuredProgram
  /** All Applications, as namespace/name. */
  readonly keys: readonly string[]
  /** How many single changes are timed. */
  readonly samples: number
  readonly timeoutMs: number
}

interface Cost {
  readonly seconds: number
  readonly secondsUntilIdle: number
  readonly cpu: number
  readonly apiServerCpu: number
  /** CPU of other programs on this machine: a phase with much of it is not reliable. */
  readonly othersCpu: number
  readonly requests: Requests
}

interface CostOptions {
  /** The operator is started in this phase: it has used nothing before. */
  readonly isStarted?: boolean
  readonly hasStarted?: () => boolean
}

/**
 * The cost of a phase, until the operator is idle again. `run` returns when its goal was reached.
 */
export async function costOf(
  { plane, operator }: PhaseSetup,
  run: () => Promise<number>,
  { isStarted = false, hasStarted = () => true }: CostOptions = {},
): Promise<Cost> {
  const { audit, apiServerPid, etcdPid } = plane
  audit.reset()
  const usage = (): { operator: number; apiServer: number; etcd: number; harness: number } => {
    const { user, system } = process.cpuUsage()
    return {
      operator: operator.pid === 0 ? 0 : cpuSeconds(operator.pid),
      apiServer: cpuSeconds(apiServerPid),
      etcd: cpuSeconds(etcdPid),
      harness: (user + system) / 1e6,
    }
  }
  const before = { ...usage(), ...(isStarted ? { operator: 0 } : {}) }
  const busyBefore = busySeconds()
  const startMs = performance.now()
  const endMs = await run()
  const idleSinceMs = await waitUntilIdle(operator.pid, {
    activity: () => audit.activity(),
    hasStarted,
  })
  const after = usage()
  const cpu = after.operator - before.operator
  const apiServerCpu = after.apiServer - before.apiServer
  const ours = cpu + apiServerCpu + after.etcd - before.etcd + after.harness - before.harness
  return {
    seconds: (endMs - startMs) / 1000,
    secondsUntilIdle: (idleSinceMs - startMs) / 1000,
    cpu,
    apiServerCpu,
    othersCpu: Math.max(0, busySeconds() - busyBefore - ours),
    requests: audit.requests(),
  }
}
