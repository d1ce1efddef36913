import { test } from 'vitest'
import { type PlatformName, openPlatform } from './platforms.ts'
import { OperatedWorld } from './operated-world.ts'
import type { World } from './world.ts'

/** `npm run test:real` sets it: then the tests run against a real control plane. */
const isReal = process.env['SETPOINT_TEST_WORLD'] === 'real'

/** The worlds of this run. */
const worldNames: readonly PlatformName[] = isReal ? ['real'] : ['virtual', 'socket']

/** A test that runs in every world of this run, each with its own namespace and API group. */
export function inEveryWorld(
  title: string,
  check: (world: World) => Promise<void>,
  names = worldNames,
): void {
  for (const name of names) {
    const options = { timeout: isReal ? 600_000 : 120_000, skip: !worldNames.includes(name) }
    test.concurrent(`${title} (${name})`, options, async () => {
      await using world = new OperatedWorld(await openPlatform(name))
      await world.prepare()
      await check(world)
    })
  }
}
