import type { SimWorld } from './sim-world.ts'

/** How a world behaved after the last change and the last fault. */
export interface Calm {
  /** Whether the program wrote nothing for two windows in a row. */
  readonly isQuiet: boolean
  /** The writes of the program in the last window, if it did not become quiet. */
  readonly lastWrites: readonly string[]
}

/** The program must write nothing for two of these. */
const windowMs = 90_000
const windowsMax = 12

/** Lets virtual time pass until the program writes nothing any more. */
export async function waitForCalm(world: SimWorld): Promise<Calm> {
  let quietWindows = 0
  let lastWrites: readonly string[] = []
  for (let window = 0; window < windowsMax && quietWindows < 2; window += 1) {
    const before = world.writes.length
    await world.host.sleep(windowMs)
    await world.host.settle()
    lastWrites = world.writes.slice(before).map(({ method, path }) => `${method} ${path}`)
    quietWindows = lastWrites.length === 0 ? quietWindows + 1 : 0
  }
  return { isQuiet: quietWindows >= 2, lastWrites }
}
