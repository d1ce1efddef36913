import { SetpointError, type ControllerActivity, type RunningOperators } from 'setpoint'
import type { Host } from 'setpoint/host'
import { isVirtual } from './is-virtual.ts'
import type { InProcessTraffic } from './in-process-host.ts'
import type { TraceEntry } from './trace.ts'

/** What tells whether a cluster is at rest. */
interface Movement {
  readonly host: Host
  readonly traffic: () => readonly InProcessTraffic[]
  readonly processes: () => readonly RunningOperators[]
  /** How many processes are being started. */
  readonly startingCount: () => number
  /** Moves with every write. */
  readonly revision: () => number
  readonly trace: readonly TraceEntry[]
}

/** So many looks in a row must show nothing: what one saw may have been between two steps. */
const looksMin = 3

/** A key that failed more often than this waits long for its next try, and does not count as moving. */
const failuresMax = 5

const pauseMs = 20

/** How many of the latest writes an explanation counts. */
const writesMax = 50

/**
 * Resolves when nothing will change any more without time passing or somebody outside doing something. Programs outside
 * of the cluster's process count as outside. When it does not come to rest in time, the error says what keeps moving.
 */
export async function settle(movement: Movement, limitMs: number): Promise<void> {
  const { host, revision } = movement
  const startMs = host.monotonicMs()
  let quietLooks = 0
  let lastRevision = -1
  while (quietLooks < looksMin) {
    await turn(host)
    const moving = movers(movement)
    const hasWritten = revision() !== lastRevision
    const isQuiet = moving.length === 0 && !hasWritten
    lastRevision = revision()
    quietLooks = isQuiet ? quietLooks + 1 : 0
    if (isQuiet) continue
    if (host.monotonicMs() - startMs > limitMs) throw unsettled(movement, moving, limitMs)
    // What is being gathered, waits for its next try or is slowed down needs time.
    if (moving.length > 0 && !hasWritten) await host.sleep(pauseMs)
  }
}

/** Lets everything happen that can happen now. A virtual host knows when that is done. */
async function turn(host: Host): Promise<void> {
  await (isVirtual(host) ? host.settle() : host.sleep(0))
}

function movers({ traffic, processes, startingCount }: Movement): string[] {
  const requests = traffic().reduce((sum, one) => sum + one.requests + one.busyWatches, 0)
  const activities = processes().flatMap((process) => process.activity())
  return [
    ...activities.flatMap(moversOf),
    ...(requests === 0 ? [] : [`${requests} requests are under way`]),
    ...(startingCount() === 0 ? [] : ['controllers are being started']),
  ]
}

function moversOf({ name, running, waiting, failing }: ControllerActivity): string[] {
  const retried = [...failing].filter(([, failures]) => failures <= failuresMax)
  return [
    ...running.map((key) => `${name} works on ${key}`),
    ...(waiting === 0 ? [] : [`${name} has ${waiting} keys to look at`]),
    ...retried.map(
      ([key, failures]) => `${name} failed ${failures} times with ${key} and tries again`,
    ),
  ]
}

function unsettled({ trace }: Movement, moving: readonly string[], limitMs: number): SetpointError {
  const writes = trace.filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
  const counts = new Map<string, number>()
  for (const { user, verb, path } of writes.slice(-writesMax)) {
    const what = `${user} ${verb} ${path}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  const often = [...counts].sort(([, left], [, right]) => right - left).slice(0, 5)
  const told = [
    ...moving,
    ...often.map(([what, count]) => `${count} of the last ${writesMax} writes: ${what}`),
  ]
  return new SetpointError(
    'CLUSTER_UNSETTLED',
    `the cluster did not come to rest within ${limitMs} ms: ${told.join('; ')}`,
    {
      hint: 'two programs may be undoing each other: look at who writes the object that changes most',
    },
  )
}
