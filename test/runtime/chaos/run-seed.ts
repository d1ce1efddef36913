import { ChaosWorld } from './chaos-world.ts'
import { findProblems } from './state-checker.ts'

/** How long faults last, and how long the operators have to converge afterwards. */
const chaosMs = 240_000
const recoveryMs = 2_400_000
const checkIntervalMs = 120_000

/** Runs one seed: returns the problems, and the history. */
export async function runSeed(
  seed: number,
): Promise<{ readonly wrong: readonly string[]; readonly log: readonly string[] }> {
  const world = await ChaosWorld.open(seed)
  try {
    await Promise.all([injectFaults(world), runUsers(world)])
    await endFaults(world)
    const wrong = await problemsAtDeadline(world)
    if (wrong.length === 0) wrong.push(...(await checkSteadyState(world)))
    return { wrong, log: world.users.log }
  } finally {
    await world.close()
  }
}

/** The problems that remain at the deadline. */
async function problemsAtDeadline(world: ChaosWorld): Promise<string[]> {
  const { host } = world
  const endMs = host.monotonicMs() + recoveryMs
  for (;;) {
    await host.sleep(checkIntervalMs)
    const wrong = await findProblems(world)
    if (wrong.length === 0 || host.monotonicMs() >= endMs) return wrong
  }
}

async function runUsers({ host, users, random }: ChaosWorld): Promise<void> {
  const endMs = host.monotonicMs() + chaosMs
  while (host.monotonicMs() < endMs) {
    // Sometimes several together, sometimes a long pause.
    await host.sleep(random.below(3) === 0 ? 0 : random.below(10_000))
    await users.act()
  }
}

async function injectFaults(world: ChaosWorld): Promise<void> {
  const { host, random, replicas, cluster, users } = world
  const endMs = host.monotonicMs() + chaosMs
  while (host.monotonicMs() < endMs) {
    await host.sleep(random.below(20_000))
    const replica = replicas[random.below(replicas.length)]
    if (replica === undefined) return
    const { process } = replica
    const what = random.below(8)
    users.log.push(`${Math.round(host.monotonicMs())} fault ${what} for ${replica.name}`)
    if (what === 0) void world.replace(replica, random.below(40_000))
    if (what === 1) process.killAtWrite(random.below(5), random.below(2) === 0)
    if (what === 2) {
      process.partition = random.below(2) === 0 ? 'silent' : 'refusing'
      void host.sleep(random.below(60_000)).then(() => (process.partition = 'none'))
    }
    if (what === 3) cluster.compact()
    if (what === 4) {
      void replica.running?.stop().then(() => {
        users.log.push(`${Math.round(host.monotonicMs())} ${process.name} stopped`)
        return world.replace(replica, 1_000)
      })
    }
    if (what > 4) process.faultPercent = [0, 5, 15, 40][random.below(4)] ?? 0
    // Ended processes are replaced.
    for (const one of replicas) if (!one.process.isAlive) void world.replace(one, 5_000)
  }
}

async function endFaults(world: ChaosWorld): Promise<void> {
  world.journal.isChaos = false
  await world.users.removeObstacles()
  for (const replica of world.replicas) {
    replica.process.faultPercent = 0
    replica.process.partition = 'none'
    replica.process.cancelKill()
    if (!replica.process.isAlive) await world.replace(replica, 1_000)
  }
}

/** In a steady state nothing is written: for an hour, and after a restart. */
async function checkSteadyState(world: ChaosWorld): Promise<string[]> {
  // The last Events and reconciles may still follow.
  await world.host.sleep(checkIntervalMs)
  world.isQuiet = true
  const idle = world.writes()
  await world.host.sleep(3_600_000)
  const wrong = idle().map((write) => `${write} in an idle hour`)
  const again = world.writes()
  for (const replica of world.replicas) {
    await replica.running?.stop()
    await world.replace(replica, 0)
  }
  await world.host.sleep(300_000)
  return [
    ...wrong,
    ...again().map((write) => `${write} after a restart`),
    ...(await findProblems(world)),
  ]
}
