import { SetpointError, type ControllerActivity, type RunningOperators } from 'setpoint'
import type { Host } from 'setpoint/host'
import { isVirtual } from './is-virtual.ts'
import type { InProcessTraffic } from './in-process-host.ts'
import type { TraceEntry } from './trace.ts'

/** The state that shows whether a cluster has settled. */
interface ClusterActivity {
  readonly host: Host
  readonly traffic: () => readonly InProcessTraffic[]
  readonly processes: () => readonly RunningOperators[]
  /** How many processes are being started. */
  readonly startingCount: () => number
  /** Changes with every write. */
  readonly revision: () => number
  readonly trace: readonly TraceEntry[]
}

/** The number of consecutive idle checks: a single check may happen between two steps. */
const idleChecksMin = 3

/** A key with more failures than this has a long backoff and does not count as active. */
const failuresMax = 5

const pauseMs = 20

/** How many of the latest writes the error counts. */
const writesMax = 50

/**
 * Resolves when nothing changes any more without time passing or an external event. Programs
 * outside of the cluster's process count as external. If the cluster does not settle in time, the
 * error names the active components.
 */
export async function settle(activity: ClusterActivity, limitMs: number): Promise<void> {
  const { host, revision } = activity
  const startMs = host.monotonicMs()
  let idleChecks = 0
  let lastRevision = -1
  while (idleChecks < idleChecksMin) {
    await runPendingWork(host)
    const moving = activeWork(activity)
    const hasWritten = revision() !== lastRevision
    const isIdle = moving.length === 0 && !hasWritten
    lastRevision = revision()
    idleChecks = isIdle ? idleChecks + 1 : 0
    if (isIdle) continue
    if (host.monotonicMs() - startMs > limitMs) throw unsettled(activity, moving, limitMs)
    // Gathered, retried or throttled work needs time.
    if (moving.length > 0 && !hasWritten) await host.sleep(pauseMs)
  }
}

/** Lets everything run that can run now. A virtual host knows when that is done. */
async function runPendingWork(host: Host): Promise<void> {
  await (isVirtual(host) ? host.settle() : host.sleep(0))
}

function activeWork({ traffic, processes, startingCount }: ClusterActivity): string[] {
  const requests = traffic().reduce((sum, one) => sum + one.requests + one.busyWatches, 0)
  const activities = processes().flatMap((process) => process.activity())
  return [
    ...activities.flatMap(activeWorkOf),
    ...(requests === 0 ? [] : [`${requests} requests are in progress`]),
    ...(startingCount() === 0 ? [] : ['controllers are being started']),
  ]
}

function activeWorkOf({ name, running, waiting, failing }: ControllerActivity): string[] {
  const retried = [...failing].filter(([, failures]) => failures <= failuresMax)
  return [
    ...running.map((key) => `${name} reconciles ${key}`),
    ...(waiting === 0 ? [] : [`${name} has ${waiting} keys in its queue`]),
    ...retried.map(
      ([key, failures]) => `${name} failed to reconcile ${key} ${failures} times and retries`,
    ),
  ]
}

function unsettled(
  { trace }: ClusterActivity,
  moving: readonly string[],
  limitMs: number,
): SetpointError {
  const writes = trace.filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
  const counts = new Map<string, number>()
  for (const { user, verb, path } of writes.slice(-writesMax)) {
    const what = `${user} ${verb} ${path}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  const often = [...counts].sort(([, left], [, right]) => right - left).slice(0, 5)
  const details = [
    ...moving,
    ...often.map(([what, count]) => `${count} of the last ${writesMax} writes: ${what}`),
  ]
  return new SetpointError(
    'CLUSTER_UNSETTLED',
    `the cluster did not settle within ${limitMs} ms: ${details.join('; ')}`,
    {
      hint: 'two controllers may overwrite each other: check which users write the object that changes most',
    },
  )
}
