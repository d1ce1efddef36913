import { readText } from 'setpoint/host'
import { expect, test } from 'vitest'
import type { PodView } from './behaviour/index.ts'
import { simulatedRuntime } from './simulated-runtime.ts'
import { type NodesWorld, nodesWorld } from './testdata/nodes-world.ts'

type LogRequest = Parameters<ReturnType<typeof simulatedRuntime>['log']>[1]

async function logOf(world: NodesWorld, name: string, request: Partial<LogRequest> = {}) {
  const runtime = simulatedRuntime(world.host, world.pods)
  let pod: PodView = await world.pod(name)
  const isFollowed = request.follow === true
  const end = isFollowed ? follow(world, name, (now) => (pod = now)) : undefined
  const log = runtime.log(() => pod, { container: 'app', ...request })
  const text = 'refusal' in log ? `refused: ${log.refusal}` : await readText(log, 10_000)
  end?.()
  return text
}

/** Polls a pod, as a server would read it from its store. */
function follow(world: NodesWorld, name: string, report: (pod: PodView) => void): () => void {
  let isStopped = false
  const poll = async (): Promise<void> => {
    while (!isStopped) {
      await world.host.sleep(100)
      report(await world.pod(name))
    }
  }
  void poll().catch(() => undefined)
  return () => (isStopped = true)
}

test('writes the log lines of a behaviour at their times', async () => {
  await using world = await nodesWorld(1)
  world.pods.behave('nginx', { logs: ['one', { text: 'two', after: 2000 }, 'three'] })
  await world.create('web')
  expect(await logOf(world, 'web')).toBe('one\nthree\n')
  await world.host.sleep(2001)
  expect(await logOf(world, 'web')).toBe('one\nthree\ntwo\n')
  expect(await logOf(world, 'web', { tailLines: 1 })).toBe('two\n')
  expect(await logOf(world, 'web', { limitBytes: 6 })).toBe('one\nth')
  expect(await logOf(world, 'web', { sinceMs: world.host.now() - 1000 })).toBe('two\n')
  expect(await logOf(world, 'web', { timestamps: true, tailLines: 1 })).toMatch(
    /^2030-01-01T00:00:02\.\d{9}Z two\n$/,
  )
})

test('follows a log until its container ends', async () => {
  await using world = await nodesWorld(1)
  world.pods.behave('nginx', {
    logs: ['begin', { text: 'middle', after: 3000 }, { text: 'never', after: 9000 }],
    exits: [{ code: 1, after: 5000 }],
  })
  await world.create('web')
  const startMs = world.host.now()
  expect(await logOf(world, 'web', { follow: true, tailLines: 1 })).toBe('begin\nmiddle\n')
  expect(world.host.now() - startMs).toBeGreaterThanOrEqual(5000)
})

test("serves the log of the previous run, and refuses a missing log with the kubelet's message", async () => {
  await using world = await nodesWorld(1)
  world.pods.behave('nginx', {
    logs: ({ restart }) => [`run ${restart}`],
    exits: [{ code: 1, after: 1000 }],
  })
  await world.create('web')
  expect(await logOf(world, 'web', { previous: true })).toBe(
    'refused: previous terminated container "app" in pod "web" not found',
  )
  await world.host.sleep(1500)
  expect(await logOf(world, 'web')).toBe('run 1\n')
  expect(await logOf(world, 'web', { previous: true })).toBe('run 0\n')
  world.pods.behave('nginx', { pullError: 'not found' })
  await world.create('late')
  expect(await logOf(world, 'late')).toBe(
    'refused: container "app" in pod "late" is waiting to start: ErrImagePull',
  )
})

test('runs commands by the behaviour', async () => {
  await using world = await nodesWorld(1)
  world.pods.behave('nginx', {
    exec: ([command]) => ({ stdout: `did ${command}`, exitCode: 3 }),
  })
  await world.create('web')
  const runtime = simulatedRuntime(world.host, world.pods)
  const pod = await world.pod('web')
  expect(await runtime.exec(pod, { container: 'app', command: ['ls'] })).toEqual({
    stdout: 'did ls',
    exitCode: 3,
  })
  expect(await runtime.exec(pod, { container: 'db', command: ['ls'] })).toEqual({
    refusal: 'container not found ("db")',
  })
})
