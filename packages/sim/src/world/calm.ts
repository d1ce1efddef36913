import type { RecordedWrite, SimWorld } from './sim-world.ts'

/** How a world behaved after the last change and the last fault. */
export interface Calm {
  /** Whether the program changed nothing for two windows in a row. */
  readonly isQuiet: boolean
  /** Whether the API server still refuses writes of the program, which it repeats. */
  readonly isRefused: boolean
  /** The writes of the program in the last window, if it did not become quiet. */
  readonly lastWrites: readonly string[]
}

/** The program must change nothing for two of these. */
const windowMs = 90_000
const windowsMax = 12

/**
 * Lets virtual time pass until the program changes nothing any more. A program whose writes are
 * refused may note its attempts in the object itself, the one of the resource `plural`.
 */
export async function waitForCalm(world: SimWorld, plural: string): Promise<Calm> {
  let quietWindows = 0
  let last: readonly RecordedWrite[] = []
  for (let window = 0; window < windowsMax && quietWindows < 2; window += 1) {
    const before = world.writes.length
    await world.host.sleep(windowMs)
    await world.host.settle()
    last = world.writes.slice(before)
    quietWindows = changesOf(last, plural).length === 0 ? quietWindows + 1 : 0
  }
  return {
    isQuiet: quietWindows >= 2,
    isRefused: last.some(({ isRefused }) => isRefused),
    lastWrites: changesOf(last, plural).map(({ method, path }) => `${method} ${path}`),
  }
}

function changesOf(writes: readonly RecordedWrite[], plural: string): RecordedWrite[] {
  const isRetrying = writes.some(({ isRefused }) => isRefused)
  const isNote = ({ method, path }: RecordedWrite): boolean =>
    isRetrying && method !== 'DELETE' && path.includes(`/${plural}/`)
  return writes.filter((write) => !write.isRefused && !isNote(write))
}
