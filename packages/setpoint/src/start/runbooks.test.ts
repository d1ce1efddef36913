import { testWorld, type TestWorld } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import { defineResource, type RunbookStatus } from '../definition/index.ts'
import { seededRandom } from '../host/index.ts'
import { ConfigMap, Event, Job } from '../kinds/index.ts'
import { type AnyOperator, operator, rbacFor, type StepContext, when } from '../operator/index.ts'

const Base = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Base',
  spec: z.object({ version: z.string().default('1'), open: z.boolean().default(false) }),
  status: z.object({ served: z.string().optional() }),
  conditions: ['Ready'],
  runbooks: ['upgrade', 'restore', 'backup'],
  columns: { Upgrade: '.status.runbooks.upgrade.state' },
})

const base = { metadata: { name: 'b' }, spec: {} }
const job = {
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
} as const

async function worldOf(
  tested: AnyOperator,
  options: Partial<Parameters<typeof testWorld>[0]> = {},
): Promise<TestWorld> {
  const operators = [tested]
  const world = await testWorld({ operators, rules: rbacFor(operators), ...options })
  onTestFinished(() => world[Symbol.asyncDispose]())
  return world
}

type Name = 'upgrade' | 'restore' | 'backup'

async function stateOf({ client }: TestWorld, name: Name = 'upgrade'): Promise<RunbookStatus> {
  return (await client.get(Base, 'b')).status?.runbooks?.[name] ?? {}
}

const briefly = ({ state, run, message, steps = [] }: RunbookStatus) => ({
  state,
  run,
  message,
  steps: steps.map(({ name, state: of, attempts = 0 }) => `${name} ${of} ${attempts}`),
})

/** Waits until the last run of a runbook has ended. */
async function ended(world: TestWorld, name: Name = 'upgrade', run = 1): Promise<RunbookStatus> {
  for (let seconds = 0; seconds < 3600; seconds += 1) {
    const status = await stateOf(world, name)
    const isOver = status.finishedAt !== undefined && (status.run ?? 0) >= run
    if (isOver) return status
    await world.host.sleep(1000)
  }
  throw new Error(JSON.stringify(await stateOf(world, name)))
}

const setVersion = async ({ client }: TestWorld, version: string) =>
  client.patch(Base, 'b', { merge: { spec: { version } } })

const request = async ({ client }: TestWorld, name: Name, value: string) =>
  client.patch(Base, 'b', {
    merge: { metadata: { annotations: { [`runbooks.setpoint.dev/${name}`]: value } } },
  })

test('a changed field starts a run: a Job, code and a condition, one after the other', async () => {
  const calls: string[] = []
  const bases = operator(Base).runbook(
    'upgrade',
    { on: { changed: 'spec.version' } },
    ({ step }) => [
      step('backup', Job, () => job),
      step('migrate', async (db, { attempt, cause, results }) => {
        const before = JSON.stringify(cause.before)
        calls.push(`${db.spec.version} ${before} ${attempt} ${JSON.stringify(results)}`)
        return { rows: 7 }
      }),
      step('verify', {
        until: (db, { results }) => results['migrate'] !== undefined && db.spec.open,
      }),
    ],
  )
  const world = await worldOf(bases)
  world.cluster.pods.behave({ image: 'i' }, { exits: { code: 0, after: 5000 } })
  await world.client.create(Base, base)
  await world.settle()
  expect(await stateOf(world)).toEqual({ handled: { 'spec.version': '1' } })
  await setVersion(world, '2')
  await world.host.sleep(20_000)
  const running = await stateOf(world)
  expect(running).toMatchObject({
    state: 'Running',
    run: 1,
    progress: '2/3',
    message: 'verify: running',
    cause: {
      type: 'Change',
      message: 'spec.version changed from "1" to "2"',
      before: { 'spec.version': '1' },
    },
    handled: { 'spec.version': '2' },
    steps: [
      { name: 'backup', state: 'Complete', attempts: 1, object: 'Job/b-upgrade-1-backup' },
      { name: 'migrate', state: 'Complete', attempts: 1, result: { rows: 7 } },
      { name: 'verify', state: 'Running' },
    ],
  })
  expect(calls).toEqual(['2 {"spec.version":"1"} 1 {}'])
  await world.client.patch(Base, 'b', { merge: { spec: { open: true } } })
  await world.settle()
  expect(briefly(await stateOf(world))).toEqual({
    state: 'Complete',
    run: 1,
    message: '3 steps complete',
    steps: ['backup Complete 1', 'migrate Complete 1', 'verify Complete 1'],
  })
  const events = await world.client.listAll(Event, { namespace: 'default' })
  const reported = events.filter(({ involvedObject }) => involvedObject.kind === 'Base')
  expect(reported.map(({ reason, message }) => `${reason}: ${message}`).sort()).toEqual([
    'RunbookComplete: upgrade 1: 3 steps complete',
    'RunbookStarted: upgrade 1: spec.version changed from "1" to "2"',
  ])
  world.writes()
  await world.host.sleep(3_600_000)
  expect(world.writes()).toEqual([])
})

test('a restart of the operator repeats the step that was running, and no step before', async () => {
  const calls: string[] = []
  const bases = operator(Base).runbook('upgrade', { on: 'create' }, ({ step }) => [
    step('first', async () => void calls.push('first')),
    step('second', async (_, { attempt, sleep }) => {
      calls.push(`second ${attempt}`)
      await sleep('5m')
      calls.push(`second ${attempt} done`)
    }),
  ])
  const world = await worldOf(bases, { start: { gracePeriod: 0 } })
  await world.client.create(Base, base)
  await world.host.sleep(60_000)
  await world.restart()
  await world.host.sleep(60_000)
  expect(calls).toEqual(['first', 'second 1', 'second 2'])
  expect(briefly(await ended(world))).toMatchObject({
    state: 'Complete',
    steps: ['first Complete 1', 'second Complete 2'],
  })
  expect(calls).toEqual(['first', 'second 1', 'second 2', 'second 2 done'])
})

test('a failed run starts the runbook for its failure', async () => {
  const calls: string[] = []
  const bases = operator(Base)
    .runbook('upgrade', { on: { changed: ['spec.version'] }, onFailure: 'restore' }, ({ step }) => [
      step(
        'migrate',
        async (_, { attempt }) => {
          throw new Error(`disk ${attempt} is full`)
        },
        { retries: 2, backoff: '30s' },
      ),
      step('never', async () => void calls.push('never')),
    ])
    .runbook('restore', {}, ({ step }) => [
      step('restore', async (_, { cause }) => void calls.push(cause.message)),
    ])
  const world = await worldOf(bases)
  await world.client.create(Base, base)
  await world.settle()
  await setVersion(world, '2')
  await world.host.sleep(10_000)
  expect(await stateOf(world)).toMatchObject({
    state: 'Running',
    message: 'migrate: disk 1 is full',
    steps: [{ state: 'Retrying', attempts: 1, message: 'disk 1 is full' }, { state: 'Pending' }],
  })
  expect(briefly(await ended(world))).toEqual({
    state: 'Failed',
    run: 1,
    message: 'migrate (attempt 3): disk 3 is full',
    steps: ['migrate Failed 3', 'never Cancelled 0'],
  })
  await ended(world, 'restore')
  expect(calls).toEqual(['upgrade 1 failed: migrate (attempt 3): disk 3 is full'])
  expect(await stateOf(world, 'restore')).toMatchObject({
    state: 'Complete',
    cause: { type: 'Failure', runbook: 'upgrade' },
  })
})

test('GiveUpError fails a step immediately, and RetryLaterError is not a failure', async () => {
  const bases = operator(Base).runbook('upgrade', { on: 'create' }, ({ step }) => [
    step('wait', async (_, { attempt }) => {
      if (attempt < 7) throw new RetryLaterError('not yet', { after: '1s' })
    }),
    step('stop', async () => {
      throw new GiveUpError('no')
    }),
  ])
  const world = await worldOf(bases)
  await world.client.create(Base, base)
  expect(briefly(await ended(world))).toEqual({
    state: 'Failed',
    run: 1,
    message: 'stop: no',
    steps: ['wait Complete 7', 'stop Failed 1'],
  })
})

test('parallel steps run at the same time; a failure cancels the others', async () => {
  const aborted: string[] = []
  const slow =
    (name: string) =>
    async (_: unknown, { signal, sleep }: Pick<StepContext, 'signal' | 'sleep'>) => {
      signal.addEventListener('abort', () => aborted.push(name))
      await sleep('1h')
    }
  const bases = operator(Base).runbook(
    'upgrade',
    { on: 'create' },
    ({ step, parallel, serial }) => [
      parallel('drain', [
        step('a', slow('a')),
        serial('b', [step('one', async () => 1), step('two', slow('two'))]),
        step('job', Job, () => job),
        step(
          'c',
          async (_, { sleep }) => {
            await sleep('10s')
            throw new Error('broken')
          },
          { retries: 0 },
        ),
      ]),
      step('after', async () => undefined),
    ],
  )
  const world = await worldOf(bases)
  world.cluster.pods.behave({ image: 'i' }, { exits: { code: 0, after: 3_600_000 } })
  await world.client.create(Base, base)
  await world.host.sleep(5000)
  expect((await stateOf(world)).steps?.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'drain/a Running',
    'drain/b/one Complete',
    'drain/b/two Running',
    'drain/job Running',
    'drain/c Running',
    'after Pending',
  ])
  const { message, steps = [] } = await ended(world)
  expect(message).toBe('drain/c: broken')
  expect(steps.map(({ state }) => state)).toEqual([
    'Cancelled',
    'Complete',
    'Cancelled',
    'Cancelled',
    'Failed',
    'Cancelled',
  ])
  expect(aborted.sort()).toEqual(['a', 'two'])
  await world.host.sleep(60_000)
  expect(await world.client.listAll(Job, { namespace: 'default' })).toEqual([])
})

test('a failed Job is kept for its log, and the next attempt has another one', async () => {
  const bases = operator(Base).runbook('upgrade', { on: 'create' }, ({ step }) => [
    step('job', Job, () => ({ spec: { ...job.spec, backoffLimit: 0 } }), { retries: 1 }),
  ])
  const world = await worldOf(bases)
  world.cluster.pods.behave({ image: 'i' }, { exits: { code: 1, after: 1000 } })
  await world.client.create(Base, base)
  const status = await ended(world)
  expect(status.message).toMatch(/^job \(attempt 2\): Job\/b-upgrade-1-job-2: failed/)
  const jobs = await world.client.listAll(Job, { namespace: 'default' })
  expect(jobs.map(({ metadata }) => metadata.name)).toEqual([
    'b-upgrade-1-job',
    'b-upgrade-1-job-2',
  ])
})

test('an attempt that takes too long is aborted, and counts as failed', async () => {
  const bases = operator(Base).runbook('upgrade', { on: 'create' }, ({ step }) => [
    step(
      'slow',
      async (_, { attempt, sleep }) => {
        if (attempt === 1) await sleep('1h')
      },
      { timeout: '1m', backoff: '1s' },
    ),
    step('wait', { until: () => 'waiting for nothing', timeout: '2m' }),
  ])
  const world = await worldOf(bases)
  await world.client.create(Base, base)
  await world.host.sleep(30_000)
  expect(await stateOf(world)).toMatchObject({ message: 'slow: running' })
  await world.host.sleep(60_000)
  expect(await stateOf(world)).toMatchObject({ message: 'wait: waiting for nothing' })
  const { message, steps = [] } = await ended(world)
  expect(message).toBe('wait: not done within 120 s')
  expect(steps.map(({ attempts }) => attempts)).toEqual([2, 1])
})

const parameters = z.object({ target: z.enum(['a', 'b']).default('a') })

test('a person starts a run with parameters; each request starts one run', async () => {
  const targets: string[] = []
  const bases = operator(Base).runbook('backup', { parameters }, ({ step }) => [
    step('copy', async (_, context) => void targets.push(context.parameters.target)),
  ])
  const world = await worldOf(bases)
  await world.client.create(Base, base)
  await world.settle()
  await request(world, 'backup', '1')
  await ended(world, 'backup', 1)
  await request(world, 'backup', '{"id":"2","parameters":{"target":"b"}}')
  await ended(world, 'backup', 2)
  await world.restart()
  await world.settle()
  expect(targets).toEqual(['a', 'b'])
  await request(world, 'backup', '{"id":"3","parameters":{"target":"c"}}')
  await world.settle()
  const { run, request: handled, refusal } = await stateOf(world, 'backup')
  expect([run, handled]).toEqual([2, '3'])
  expect(refusal).toMatch(/^request 3: parameters.target: Invalid option/)
  await request(world, 'backup', '{"identity":"4"}')
  await world.settle()
  expect((await stateOf(world, 'backup')).refusal).toMatch(/is not a request to start a runbook/)
  expect(targets).toEqual(['a', 'b'])
})

test('runs of an object wait for each other', async () => {
  const calls: string[] = []
  const slow =
    (name: string) =>
    async (db: { spec: { version: string } }, { sleep }: Pick<StepContext, 'sleep'>) => {
      calls.push(`${name} ${db.spec.version}`)
      await sleep('1m')
    }
  const bases = operator(Base)
    .runbook('upgrade', { on: { changed: 'spec.version' } }, ({ step }) => [
      step('upgrade', slow('upgrade')),
    ])
    .runbook('backup', { on: 'create' }, ({ step }) => [step('backup', slow('backup'))])
    .runbook('restore', { whileRunning: 'refuse' }, ({ step }) => [
      step('restore', slow('restore')),
    ])
  const world = await worldOf(bases)
  await world.client.create(Base, base)
  await world.host.sleep(5000)
  await setVersion(world, '2')
  await world.host.sleep(5000)
  await setVersion(world, '3')
  await request(world, 'restore', 'now')
  await world.host.sleep(5000)
  expect(await stateOf(world)).toMatchObject({
    state: 'Pending',
    waiting: { cause: { before: { 'spec.version': '1' } } },
  })
  expect(await stateOf(world, 'restore')).toMatchObject({
    refusal: 'request now: backup is running',
  })
  await ended(world)
  expect(calls).toEqual(['backup 1', 'upgrade 3'])
})

test('with restart, a new change cancels the run in progress', async () => {
  const calls: string[] = []
  const bases = operator(Base).runbook(
    'upgrade',
    { on: { changed: 'spec.version' }, whileRunning: 'restart' },
    ({ step }) => [
      step('move', async (db, { sleep }) => {
        await sleep('1m')
        calls.push(db.spec.version)
      }),
    ],
  )
  const world = await worldOf(bases)
  await world.client.create(Base, base)
  await world.settle()
  await setVersion(world, '2')
  await world.host.sleep(30_000)
  await setVersion(world, '3')
  const status = await ended(world, 'upgrade', 2)
  expect(calls).toEqual(['3'])
  expect(status.history).toMatchObject([
    { run: 1, state: 'Cancelled', message: 'restarted: spec.version changed from "2" to "3"' },
  ])
})

test('a person cancels a run', async () => {
  let isAborted = false
  const bases = operator(Base).runbook('upgrade', { on: 'create' }, ({ step }) => [
    step('long', async (_, { signal, sleep }) => {
      signal.addEventListener('abort', () => (isAborted = true))
      await sleep('1h')
    }),
  ])
  const world = await worldOf(bases)
  await world.client.create(Base, base)
  await world.settle()
  const annotations = { 'runbooks.setpoint.dev/cancel.run': 'upgrade/1' }
  await world.client.patch(Base, 'b', { merge: { metadata: { annotations } } })
  await world.settle()
  expect(await stateOf(world)).toMatchObject({
    state: 'Cancelled',
    message: 'cancelled by request',
  })
  expect(isAborted).toBe(true)
})

test('a schedule starts runs, and the history has a limit', async () => {
  const bases = operator(Base).runbook(
    'backup',
    { on: { schedule: '0 * * * *' }, history: 2 },
    ({ step }) => [step('copy', Job, () => job)],
  )
  const world = await worldOf(bases)
  world.cluster.pods.behave({ image: 'i' }, { exits: { code: 0, after: 1000 } })
  await world.client.create(Base, base)
  await world.host.sleep(5 * 3_600_000 + 60_000)
  const status = await stateOf(world, 'backup')
  expect([status.run, status.history?.map(({ run }) => run)]).toEqual([5, [4, 3]])
  const jobs = await world.client.listAll(Job, { namespace: 'default' })
  expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual([
    'b-backup-3-copy',
    'b-backup-4-copy',
    'b-backup-5-copy',
  ])
  await world.stop()
  await world.host.sleep(24 * 3_600_000)
  await world.restart()
  await world.host.sleep(60_000)
  expect((await stateOf(world, 'backup')).run).toBe(6)
})

test('a step may be skipped, and may write the status', async () => {
  const bases = operator(Base)
    .runbook('upgrade', { on: 'create' }, ({ step }) => [
      step('skipped', async () => undefined, { when: (db) => db.spec.open }),
      step('serve', async (db, { updateStatus }) => updateStatus({ served: db.spec.version })),
    ])
    .status((db) => ({ served: db.status?.served }))
  const world = await worldOf(bases)
  await world.client.create(Base, base)
  expect(briefly(await ended(world)).steps).toEqual(['skipped Skipped 0', 'serve Complete 1'])
  await world.settle()
  expect((await world.client.get(Base, 'b')).status).toMatchObject({ served: '1' })
})

test('a deleted object ends its steps', async () => {
  let isAborted = false
  const bases = operator(Base).runbook('upgrade', { on: 'create' }, ({ step }) => [
    step('long', async (_, { signal, sleep }) => {
      signal.addEventListener('abort', () => (isAborted = true))
      await sleep('1h')
    }),
  ])
  const world = await worldOf(bases)
  await world.client.create(Base, base)
  await world.settle()
  await world.client.delete(Base, 'b')
  await world.settle()
  expect(isAborted).toBe(true)
})

test.each([1, 2, 3])(
  'an operator that is killed again and again (%i) finishes the run once, with one Job per step',
  async (seed) => {
    const done: string[] = []
    const code =
      (name: string) =>
      async (_: unknown, { sleep }: Pick<StepContext, 'sleep'>) => {
        await sleep('2s')
        done.push(name)
      }
    const bases = operator(Base).runbook(
      'upgrade',
      { on: { changed: 'spec.version' } },
      ({ step, parallel }) => [
        step('first', code('first')),
        parallel('both', [step('job', Job, () => job), step('code', code('code'))]),
        step('last', code('last')),
      ],
    )
    const world = await worldOf(bases, { seed, start: { gracePeriod: 0 } })
    world.cluster.pods.behave({ image: 'i' }, { exits: { code: 0, after: 3000 } })
    await world.client.create(Base, base)
    await world.settle()
    await setVersion(world, '2')
    const random = seededRandom(seed)
    for (let kills = 0; kills < 12; kills += 1) {
      await world.host.sleep(random.below(4000))
      await world.restart()
    }
    const status = await ended(world)
    expect(status).toMatchObject({ state: 'Complete', run: 1 })
    expect(status.history).toBeUndefined()
    // A function whose end was not stored is called again. The order never changes.
    expect([...new Set(done)]).toEqual(['first', 'code', 'last'])
    const jobs = await world.client.listAll(Job, { namespace: 'default' })
    expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['b-upgrade-1-both-job'])
  },
)

test('refuses runbooks that cannot run', () => {
  const declare =
    (name: Name, options: object, names: readonly string[] = ['a']) =>
    () =>
      operator(Base).runbook(name, options, ({ step }) =>
        names.map((each) => step(each, async () => undefined)),
      )
  expect(declare('upgrade', {}, [])).toThrow(/has 0 steps/)
  expect(declare('upgrade', {}, ['a', 'a'])).toThrow(/has two steps named "a"/)
  expect(declare('upgrade', {}, ['A'])).toThrow(/has two steps named "A", or one whose name/)
  expect(declare('upgrade', { onFailure: 'upgrade' })).toThrow(/names "upgrade" in onFailure/)
  expect(declare('other' as Name, {})).toThrow(/is not declared by its definition/)
  expect(declare('upgrade', { history: -1 })).toThrow(/keeps -1 runs/)
  const needed = z.object({ target: z.string() })
  expect(declare('upgrade', { on: 'create', parameters: needed })).toThrow(
    /cannot start by itself: parameters.target/,
  )
  expect(declare('upgrade', { on: { schedule: 'x' } })).toThrow(/is not a cron expression/)
})

test.each([1, 2, 3, 4, 5, 6])(
  'nothing is lost when a step and `.status` write the status at the same time (seed %s)',
  async (seed) => {
    const bases = operator(Base)
      // Its update takes time between the start of a step and the status of the same reconcile.
      .child('copy', ConfigMap, ({ status }) => ({
        data: { progress: `${status?.runbooks?.upgrade?.progress}` },
      }))
      .runbook('upgrade', { on: 'create' }, ({ step }) =>
        ['1', '2', '3', '4'].map((served) =>
          step(`serve-${served}`, async (_, { updateStatus }) =>
            updateStatus((status) => ({ ...status, served: `${status.served ?? ''}${served}` })),
          ),
        ),
      )
      // It repeats what the steps wrote, and changes with every step.
      .status(({ status }) => ({
        served: status?.served,
        conditions: {
          Ready: when(true, 'Upgrade', JSON.stringify(status?.runbooks?.upgrade?.steps)),
        },
      }))
    const random = seededRandom(seed)
    const intercept = () => ({ delay: random.below(20) })
    const world = await worldOf(bases, { seed, intercept })
    await world.client.create(Base, base)
    expect(briefly(await ended(world))).toMatchObject({ state: 'Complete' })
    expect((await world.client.get(Base, 'b')).status?.served).toBe('1234')
  },
)
