import { test } from 'vitest'
import { type GroundName, openGround } from './grounds.ts'
import { OperatedWorld } from './operated-world.ts'
import type { World } from './world.ts'

/** `npm run test:real` sets it: then the tests run against a real control plane. */
const isReal = process.env['SETPOINT_TEST_WORLD'] === 'real'

/** The worlds of this run. */
const worldNames: readonly GroundName[] = isReal ? ['real'] : ['virtual', 'socket']

/** One sentence, tested in every world, with a fresh part of it. Where this run has none of its worlds, it is skipped. */
export function inEveryWorld(
  sentence: string,
  check: (world: World) => Promise<void>,
  names = worldNames,
): void {
  const found = names.filter((name) => worldNames.includes(name))
  if (found.length === 0) test.skip(sentence)
  for (const name of found) {
    test.concurrent(`${sentence} (${name})`, { timeout: 120_000 }, async () => {
      await using world = new OperatedWorld(await openGround(name))
      await world.prepare()
      await check(world)
    })
  }
}
