import {
  isRefused,
  type RecordedError,
  type RecordedWrite,
  type Recording,
  writeText,
} from './recording.ts'
import { objectsOf, saysReady } from '../state/subject-status.ts'
import type { SimWorld } from './sim-world.ts'

/** How a world behaved after the last change and the last fault. */
export interface Calm {
  /** Whether the program changed nothing for two windows in a row. */
  readonly isQuiet: boolean
  /** When the quiet windows began. */
  readonly sinceMs: number
  /** The writes of the program in the last window that were not refused. */
  readonly lastWrites: readonly string[]
  /** The writes that the API server refused in the last window, with their status. */
  readonly lastRefusals: readonly string[]
  /** The errors of the program in the last window. */
  readonly lastErrors: readonly RecordedError[]
  /** The reads of the program in the last window, per minute. */
  readonly readsPerMinute: number
}

/** The program must change nothing for two of these. */
const windowMs = 90_000
const windowsMax = 12

/** Which writes of the program never end, as declared. */
interface Expected {
  /** The resource of the program: notes of failed attempts in its objects do not count. */
  readonly subject: string
  /** Resources that the program writes again and again. */
  readonly heartbeats: readonly string[]
}

/** Lets virtual time pass until the program changes nothing any more. */
export async function waitForCalm(world: SimWorld, expected: Expected): Promise<Calm> {
  const { recording } = world
  let quietWindows = 0
  let last: readonly RecordedWrite[] = []
  let [errors, reads] = [recording.errors.length, 0]
  for (let window = 0; window < windowsMax && quietWindows < 2; window += 1) {
    const before = recording.writes.length
    errors = recording.errors.length
    reads = readCount(world)
    const calls = world.externals.calls.length
    await world.host.sleep(windowMs)
    await world.host.settle()
    last = recording.writes.slice(before)
    const isQuiet =
      changesOf(last, expected).length === 0 && !isAskingOutside(world, calls, expected)
    quietWindows = isQuiet ? quietWindows + 1 : 0
  }
  return {
    isQuiet: quietWindows >= 2,
    sinceMs: world.timeMs - quietWindows * windowMs,
    lastWrites: changesOf(last, expected).map(writeText),
    lastRefusals: refusalsOf(last, recording).map(
      (write) => `${writeText(write)}: ${write.status}`,
    ),
    lastErrors: recording.errors.slice(errors),
    readsPerMinute: (readCount(world) - reads) / (windowMs / 60_000),
  }
}

/** A refused write of a process that has ended does not say that the program fails. */
function refusalsOf(last: readonly RecordedWrite[], { writes }: Recording): RecordedWrite[] {
  const latest = Math.max(...writes.map(({ process }) => process))
  return last.filter((write) => isRefused(write) && write.process === latest)
}

/** Whether an object is not ready, while the program asks an external system about it. */
function isAskingOutside(world: SimWorld, calls: number, { subject }: Expected): boolean {
  if (world.externals.calls.length === calls) return false
  const objects = [...objectsOf(world.cluster.snapshot(), subject).values()]
  return objects.some((object) => saysReady(object) === false)
}

function readCount({ recording }: SimWorld): number {
  return [...recording.reads.values()].reduce((sum, count) => sum + count, 0)
}

/** A program whose writes are refused may note its attempts in the object itself. */
function changesOf(
  writes: readonly RecordedWrite[],
  { subject, heartbeats }: Expected,
): RecordedWrite[] {
  const isRetrying = writes.some(isRefused)
  return writes.filter((write) => {
    const isNote = isRetrying && write.verb !== 'delete' && write.bucket === subject
    return !isRefused(write) && !isNote && !heartbeats.includes(write.bucket)
  })
}
