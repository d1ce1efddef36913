import { test } from 'vitest'
import { type GroundName, openGround } from './grounds.ts'
import { OperatedWorld } from './operated-world.ts'
import type { World } from './world.ts'

/** `npm run test:real` sets it: then the tests run against a real control plane. */
const isReal = process.env['SETPOINT_TEST_WORLD'] === 'real'

/** The worlds of this run. */
const worldNames: readonly GroundName[] = isReal ? ['real'] : ['virtual', 'socket']

/** One sentence, tested in every world, with a fresh part of it; skipped in worlds that this run does not have. */
export function inEveryWorld(
  sentence: string,
  check: (world: World) => Promise<void>,
  names = worldNames,
): void {
  for (const name of names) {
    const options = { timeout: 120_000, skip: !worldNames.includes(name) }
    test.concurrent(`${sentence} (${name})`, options, async () => {
      await using world = new OperatedWorld(await openGround(name))
      await world.prepare()
      await check(world)
    })
  }
}
