/** Timers over restarts of the process. */
import { expect, test } from 'vitest'
import { ConfigMap } from '../kinds/index.ts'
import { operator, rbacFor } from '../operator/index.ts'
import { data, Volume, createWorld } from './testdata/volumes-world.ts'

const hourMs = 3_600_000
const annotation = 'setpoint.dev/timers'

/** Records the hours at which it ticks. */
function clock() {
  const hours: number[] = []
  let startMs = 0
  return {
    hours,
    start: (nowMs: number) => void (startMs = nowMs),
    tick: (nowMs: number) => void hours.push(Math.round(((nowMs - startMs) / hourMs) * 10) / 10),
  }
}

test('continues the interval of a rare timer after a restart, with one write per call', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every('24h', async () => tick(world.host.now()))
  await using world = await createWorld(volume)
  start(world.host.now())
  await world.client.create(Volume, data)
  for (let restarts = 0; restarts < 9; restarts += 1) {
    await world.host.sleep(7 * hourMs)
    await world.restart(volume)
  }
  expect(hours).toEqual([0, 24, 48])
  expect(world.writes()).toBe(3)
})

test('calls a cron timer once for all calls that were missed while stopped', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every('0 3 * * *', async () => tick(world.host.now()))
  await using world = await createWorld(volume)
  start(world.host.now())
  await world.client.create(Volume, data)
  await world.host.sleep(2 * hourMs)
  await world.restart()
  await world.host.sleep(50 * hourMs)
  await world.restart(volume)
  await world.host.sleep(30 * hourMs)
  expect(hours).toEqual([52, 75])
})

test('does not restart the startAfter delay on a restart', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every({ every: '2h', startAfter: '10h' }, async () =>
    tick(world.host.now()),
  )
  await using world = await createWorld(volume)
  start(world.host.now())
  await world.client.create(Volume, data)
  for (let restarts = 0; restarts < 4; restarts += 1) {
    await world.host.sleep(3 * hourMs)
    await world.restart(volume)
  }
  await world.host.sleep(hourMs)
  expect(hours).toEqual([10, 12])
})

test('runs a frequent timer immediately after a restart, without a write', async () => {
  let calls = 0
  const volume = operator(Volume)
    .every('59m', async () => void (calls += 1))
    .every('*/30 * * * *', async () => undefined)
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(1_000)
  await world.restart(volume)
  await world.host.sleep(10 * hourMs)
  expect(calls).toBe(12)
  expect(world.writes()).toBe(0)
})

test('retries a failed timer immediately after a restart', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every(
    '24h',
    async () => {
      tick(world.host.now())
      if (hours.length === 2) throw new Error('the disk is full')
    },
    { backoff: '5h' },
  )
  await using world = await createWorld(volume)
  start(world.host.now())
  await world.client.create(Volume, data)
  await world.host.sleep(25 * hourMs)
  await world.restart(volume)
  await world.host.sleep(25 * hourMs)
  expect(hours).toEqual([0, 24, 25, 49])
})

test('saves several timers of an object side by side, without triggering handlers', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .every('24h', async () => void calls.push('one'))
    .every('24h', async () => void calls.push('two'))
    .onUpdate(async () => void calls.push('updated'))
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(hourMs)
  await world.restart(volume)
  await world.host.sleep(hourMs)
  expect(calls.sort()).toEqual(['one', 'two'])
})

for (const [what, note] of [
  ['with an invalid time', () => '{"since": {"nightly": "yesterday"}}'],
  ['that is not JSON', () => 'x'],
  [
    'about another object',
    (nowMs: number) => JSON.stringify({ uid: 'other', since: { nightly: nowMs } }),
  ],
] as const) {
  test(`ignores a note ${what}`, async () => {
    let calls = 0
    const volume = operator(Volume).every('24h', async function nightly() {
      calls += 1
    })
    await using world = await createWorld(volume)
    const annotations = { [annotation]: note(world.host.now()) }
    await world.client.create(Volume, { ...data, metadata: { name: 'data', annotations } })
    await world.host.sleep(1_000)
    expect(calls).toBe(1)
  })
}

test('delays a timer by at most one interval after a note from a clock that was ahead', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every('24h', async function nightly() {
    tick(world.host.now())
  })
  await using world = await createWorld()
  start(world.host.now())
  const { metadata } = await world.client.create(Volume, data)
  const note = { uid: metadata.uid, since: { nightly: world.host.now() + 1_000 * hourMs } }
  const annotations = { [annotation]: JSON.stringify(note) }
  await world.client.patch(Volume, 'data', { merge: { metadata: { annotations } } })
  await world.restart(volume)
  await world.host.sleep(50 * hourMs)
  expect(hours).toEqual([24, 48])
})

test('starts a timer over when it matches the object again', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every('24h', async () => tick(world.host.now()), {
    labels: { backup: 'yes' },
  })
  await using world = await createWorld(volume)
  start(world.host.now())
  await world.client.create(Volume, {
    ...data,
    metadata: { name: 'data', labels: { backup: 'yes' } },
  })
  await world.host.sleep(hourMs)
  for (const backup of ['no', 'yes']) {
    await world.client.patch(Volume, 'data', { merge: { metadata: { labels: { backup } } } })
    await world.host.sleep(hourMs)
  }
  expect(hours).toEqual([0, 2])
})

test('grants patch on built-in kinds only to operators with rare timers', () => {
  const verbsOf = (every: string): readonly string[] | undefined =>
    rbacFor([operator(ConfigMap, { name: 'configmaps' }).every(every, async () => undefined)]).find(
      ({ resources: [first] }) => first === 'configmaps',
    )?.verbs
  for (const rare of ['1h', '24h', '0 * * * *', '0 3 * * *', '@weekly']) {
    expect(verbsOf(rare), rare).toContain('patch')
  }
  for (const frequent of ['59m', '*/5 * * * *', '0 0 30 2 *']) {
    expect(verbsOf(frequent), frequent).not.toContain('patch')
  }
})
