/** What becomes of timers when a process ends and another one begins. */
import { expect, test } from 'vitest'
import { ConfigMap } from '../kinds/index.ts'
import { operator, rbacFor } from '../operator/index.ts'
import { data, Volume, world } from './testdata/volumes-world.ts'

const hourMs = 3_600_000
const annotation = 'setpoint.dev/timers'

/** Notes at which hour something happens. */
function clock() {
  const hours: number[] = []
  let startMs = 0
  return {
    hours,
    start: (nowMs: number) => void (startMs = nowMs),
    tick: (nowMs: number) => void hours.push(Math.round(((nowMs - startMs) / hourMs) * 10) / 10),
  }
}

test('a timer that is rare goes on counting after a restart, at the cost of one write each time', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every('24h', async () => tick(it.host.now()))
  await using it = await world(volume)
  start(it.host.now())
  await it.client.create(Volume, data)
  for (let restarts = 0; restarts < 9; restarts += 1) {
    await it.host.sleep(7 * hourMs)
    await it.restart(volume)
  }
  expect(hours).toEqual([0, 24, 48])
  expect(it.writes()).toBe(3)
})

test('what an expression came up with while nobody was there is made up for, once', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every('0 3 * * *', async () => tick(it.host.now()))
  await using it = await world(volume)
  start(it.host.now())
  await it.client.create(Volume, data)
  await it.host.sleep(2 * hourMs)
  await it.restart()
  await it.host.sleep(50 * hourMs)
  await it.restart(volume)
  await it.host.sleep(30 * hourMs)
  expect(hours).toEqual([52, 75])
})

test('a wait before the first time is not begun anew by a restart', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every({ every: '2h', startAfter: '10h' }, async () =>
    tick(it.host.now()),
  )
  await using it = await world(volume)
  start(it.host.now())
  await it.client.create(Volume, data)
  for (let restarts = 0; restarts < 4; restarts += 1) {
    await it.host.sleep(3 * hourMs)
    await it.restart(volume)
  }
  expect(hours).toEqual([10, 12])
})

test('a timer that is frequent begins at once after a restart, and writes nothing', async () => {
  let calls = 0
  const volume = operator(Volume)
    .every('59m', async () => void (calls += 1))
    .every('*/30 * * * *', async () => undefined)
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(1_000)
  await it.restart(volume)
  await it.host.sleep(10 * hourMs)
  expect(calls).toBe(12)
  expect(it.writes()).toBe(0)
})

test('a timer that failed is tried at once after a restart', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every(
    '24h',
    async () => {
      tick(it.host.now())
      if (hours.length === 2) throw new Error('the disk is full')
    },
    { backoff: '5h' },
  )
  await using it = await world(volume)
  start(it.host.now())
  await it.client.create(Volume, data)
  await it.host.sleep(25 * hourMs)
  await it.restart(volume)
  await it.host.sleep(25 * hourMs)
  expect(hours).toEqual([0, 24, 25, 49])
})

test('several timers of an object are noted side by side, and tell no handler anything', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .every('24h', async () => void calls.push('one'))
    .every('24h', async () => void calls.push('two'))
    .onUpdate(async () => void calls.push('updated'))
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(hourMs)
  await it.restart(volume)
  await it.host.sleep(hourMs)
  expect(calls.sort()).toEqual(['one', 'two'])
})

for (const [what, note] of [
  ['that nobody here wrote', () => '{"since": {"nightly": "yesterday"}}'],
  ['that is no JSON', () => 'x'],
  [
    'about another object',
    (nowMs: number) => JSON.stringify({ uid: 'other', since: { nightly: nowMs } }),
  ],
] as const) {
  test(`a note ${what} counts for nothing`, async () => {
    let calls = 0
    const volume = operator(Volume).every('24h', async function nightly() {
      calls += 1
    })
    await using it = await world(volume)
    const annotations = { [annotation]: note(it.host.now()) }
    await it.client.create(Volume, { ...data, metadata: { name: 'data', annotations } })
    await it.host.sleep(1_000)
    expect(calls).toBe(1)
  })
}

test('a note from a clock that was ahead delays a timer by one interval at most', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every('24h', async function nightly() {
    tick(it.host.now())
  })
  await using it = await world()
  start(it.host.now())
  const { metadata } = await it.client.create(Volume, data)
  const note = { uid: metadata.uid, since: { nightly: it.host.now() + 1_000 * hourMs } }
  const annotations = { [annotation]: JSON.stringify(note) }
  await it.client.patch(Volume, 'data', { merge: { metadata: { annotations } } })
  await it.restart(volume)
  await it.host.sleep(50 * hourMs)
  expect(hours).toEqual([24, 48])
})

test('a timer that is for an object again begins anew', async () => {
  const { hours, start, tick } = clock()
  const volume = operator(Volume).every('24h', async () => tick(it.host.now()), {
    labels: { backup: 'yes' },
  })
  await using it = await world(volume)
  start(it.host.now())
  await it.client.create(Volume, { ...data, metadata: { name: 'data', labels: { backup: 'yes' } } })
  await it.host.sleep(hourMs)
  for (const backup of ['no', 'yes']) {
    await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { backup } } } })
    await it.host.sleep(hourMs)
  }
  expect(hours).toEqual([0, 2])
})

test('only operators with rare timers may patch objects of a built-in kind for them', () => {
  const verbsOf = (every: string): readonly string[] | undefined =>
    rbacFor([operator(ConfigMap).every(every, async () => undefined)]).find(
      ({ resources: [first] }) => first === 'configmaps',
    )?.verbs
  for (const rare of ['1h', '24h', '0 * * * *', '0 3 * * *', '@weekly']) {
    expect(verbsOf(rare), rare).toContain('patch')
  }
  for (const frequent of ['59m', '*/5 * * * *', '0 0 30 2 *']) {
    expect(verbsOf(frequent), frequent).not.toContain('patch')
  }
})
