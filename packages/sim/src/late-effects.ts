import { writeText } from './world/recording.ts'
import { type Checkpoint, SimWorld } from './world/sim-world.ts'
import type { RunContext } from './world/step-run.ts'

const hourMs = 3_600_000
/** How long the program is watched, in turns: an early difference needs no more. */
const periodsMs = [hourMs, 5 * hourMs, 18 * hourMs]
/** A program that does more than this in a period does not wait for something. */
const readsMax = 1000
const precisionMs = 30_000

/**
 * Whether a change of the spec has an effect only later: a time that the program waits, such as the
 * period of a rotation. The program runs on without and with the change, and writes at other times.
 */
export async function hasLateEffect(
  context: RunContext,
  without: Checkpoint,
  changed: Checkpoint,
): Promise<boolean> {
  const sinceMs = Math.max(without.timeMs, changed.timeMs) + 60_000
  const open = async (from: Checkpoint): Promise<LateWorld> => {
    const world = await SimWorld.open({ ...context, seed: `${context.seed}/late`, from })
    world.start()
    await world.host.sleep(sinceMs - from.timeMs)
    return { world, beginMs: sinceMs - world.timeMs }
  }
  const [one, other] = [await open(without), await open(changed)]
  await using _one = one.world
  await using _other = other.world
  for (const periodMs of periodsMs) {
    const [left, right] = [await writesIn(one, periodMs), await writesIn(other, periodMs)]
    if (left.join('\n') !== right.join('\n')) return true
    if ([one, other].some(({ world }) => readCount(world) > readsMax)) return false
  }
  return false
}

interface LateWorld {
  readonly world: SimWorld
  /** What has to be added to the time of the world for the wall clock. */
  readonly beginMs: number
}

/** What the program changes in a period, and when. */
async function writesIn({ world, beginMs }: LateWorld, periodMs: number): Promise<string[]> {
  const { host, recording } = world
  const before = recording.writes.length
  await host.sleep(periodMs)
  await host.settle()
  return recording.writes
    .slice(before)
    .filter(({ change }) => change !== undefined)
    .map((write) => `${Math.round((write.timeMs + beginMs) / precisionMs)} ${writeText(write)}`)
}

function readCount({ recording }: SimWorld): number {
  return [...recording.reads.values()].reduce((sum, count) => sum + count, 0)
}
