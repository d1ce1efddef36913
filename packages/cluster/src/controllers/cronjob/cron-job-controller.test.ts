import { CronJob, Job, type CronJobSpec } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { controllerWorld, type ControllerWorld } from '../testdata/controller-world.ts'
import { cronJobController } from './index.ts'

const minuteMs = 60_000
const template = {
  spec: { restartPolicy: 'Never' as const, containers: [{ name: 'main', image: 'work' }] },
}

async function create(world: ControllerWorld, spec: Partial<CronJobSpec> = {}): Promise<void> {
  const jobTemplate = { metadata: { labels: { app: 'tick' } }, spec: { template } }
  // Starts at the beginning of a minute.
  await world.host.sleep(minuteMs - (world.host.now() % minuteMs))
  await world.client.create(CronJob, {
    metadata: { name: 'tick' },
    spec: { schedule: '* * * * *', jobTemplate, ...spec },
  })
}

async function jobs(world: ControllerWorld): Promise<Job[]> {
  const all = await world.client.listAll(Job, { namespace: 'default' })
  return all.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
}

async function end(world: ControllerWorld, job: Job, type: 'Complete' | 'Failed'): Promise<void> {
  const time = `${new Date(world.host.now()).toISOString().slice(0, 19)}Z`
  const interim = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  const conditions = [interim, type].map((each) => ({
    type: each,
    status: 'True',
    reason: 'Test',
    message: 'over',
    lastProbeTime: time,
    lastTransitionTime: time,
  }))
  const status = {
    startTime: time,
    conditions,
    ...(type === 'Complete' && { completionTime: time }),
  }
  await world.client.patch(Job, job.metadata, { merge: { status }, subresource: 'status' })
  await world.host.sleep(1_000)
}

const statusNow = async (world: ControllerWorld) =>
  (await world.client.get(CronJob, 'tick')).status ?? {}

test('creates a Job for each scheduled time, with the time in an annotation', async () => {
  await using world = await controllerWorld(cronJobController())
  await create(world, { timeZone: 'Asia/Tokyo' })
  const startMs = (Math.floor(world.host.now() / minuteMs) + 1) * minuteMs
  await world.host.sleep(minuteMs + 1_000)
  const [job] = await jobs(world)
  const wall = new Date(startMs + 9 * 3_600_000).toISOString().slice(0, 19)
  expect(job?.metadata).toMatchObject({
    name: `tick-${startMs / minuteMs}`,
    labels: { app: 'tick' },
    annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': `${wall}+09:00` },
    ownerReferences: [
      { kind: 'CronJob', name: 'tick', controller: true, blockOwnerDeletion: true },
    ],
  })
  const { name, namespace, uid } = job?.metadata ?? {}
  expect(await statusNow(world)).toEqual({
    active: [
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        name,
        namespace,
        uid,
        resourceVersion: expect.any(String) as string,
      },
    ],
    lastScheduleTime: `${new Date(startMs).toISOString().slice(0, 19)}Z`,
  })
  expect(await world.events('CronJob')).toEqual([`SuccessfulCreate: Created job ${name}`])
})

test('removes a finished Job from the active list and records its success', async () => {
  await using world = await controllerWorld(cronJobController())
  await create(world, { schedule: '0 * * * *' })
  await world.host.sleep(61 * minuteMs)
  const [job] = await jobs(world)
  if (job !== undefined) await end(world, job, 'Complete')
  const { active, lastSuccessfulTime } = await statusNow(world)
  expect(active).toBeUndefined()
  expect(lastSuccessfulTime).toBe((await jobs(world))[0]?.status?.completionTime)
  expect((await world.events('CronJob'))[1]).toBe(
    `SawCompletedJob: Saw completed job: ${job?.metadata.name}, condition: Complete`,
  )
})

test('keeps finished Jobs up to the history limits', async () => {
  await using world = await controllerWorld(cronJobController())
  await create(world, { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 0 })
  const names: string[] = []
  for (let count = 0; count < 4; count += 1) {
    await world.host.sleep(minuteMs + 500)
    const job = (await jobs(world)).at(-1)
    if (job === undefined) throw new Error('a Job')
    names.push(job.metadata.name)
    await end(world, job, count === 3 ? 'Failed' : 'Complete')
    await world.host.sleep(minuteMs - ((world.host.now() + 1_000) % minuteMs))
  }
  await world.client.patch(CronJob, 'tick', { merge: { spec: { suspend: true } } })
  await world.host.sleep(minuteMs)
  const kept = (await jobs(world)).filter(({ status }) => status?.conditions !== undefined)
  expect(kept.map(({ metadata }) => metadata.name)).toEqual(names.slice(1, 3))
  expect(await world.events('CronJob')).toContain(`SuccessfulDelete: Deleted job ${names[0]}`)
})

test.each([
  ['Allow' as const, 2, undefined],
  ['Forbid' as const, 1, 'JobAlreadyActive: Not starting job because prior execution is running'],
  ['Replace' as const, 1, 'SuccessfulDelete: Deleted job tick-'],
])('with %s, has %i Jobs after two scheduled times', async (concurrencyPolicy, count, event) => {
  await using world = await controllerWorld(cronJobController())
  await create(world, { concurrencyPolicy })
  await world.host.sleep(minuteMs + 1_000)
  const [first] = await jobs(world)
  await world.host.sleep(minuteMs)
  const now = await jobs(world)
  expect(now).toHaveLength(count)
  expect((await statusNow(world)).active).toHaveLength(count)
  expect(now[0]?.metadata.uid === first?.metadata.uid).toBe(concurrencyPolicy !== 'Replace')
  if (event !== undefined) expect((await world.events('CronJob')).join()).toContain(event)
})

test('starts no Job while suspended, and starts the last missed one on resume', async () => {
  await using world = await controllerWorld(cronJobController())
  await create(world, { suspend: true })
  await world.host.sleep(10 * minuteMs)
  expect(await jobs(world)).toEqual([])
  await world.client.patch(CronJob, 'tick', { merge: { spec: { suspend: false } } })
  await world.host.sleep(1_000)
  expect(await jobs(world)).toHaveLength(1)
})

test('records an Event for more than a hundred missed times, and starts the last one', async () => {
  await using world = await controllerWorld(cronJobController())
  await create(world, { suspend: true })
  await world.host.sleep(200 * minuteMs)
  await world.client.patch(CronJob, 'tick', { merge: { spec: { suspend: false } } })
  await world.host.sleep(1_000)
  expect(await jobs(world)).toHaveLength(1)
  expect((await world.events('CronJob'))[0]).toBe(
    'TooManyMissedTimes: too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
  )
})

test('skips a start after its starting deadline', async () => {
  await using world = await controllerWorld(cronJobController())
  await create(world, { schedule: '@hourly', suspend: true, startingDeadlineSeconds: 60 })
  await world.host.sleep(90 * minuteMs - (world.host.now() % (60 * minuteMs)))
  await world.client.patch(CronJob, 'tick', { merge: { spec: { suspend: false } } })
  await world.host.sleep(1_000)
  expect(await jobs(world)).toEqual([])
})

test('does not start missed times of a changed schedule', async () => {
  await using world = await controllerWorld(cronJobController())
  await create(world, { schedule: '0 0 1 1 *' })
  await world.host.sleep(5 * minuteMs)
  await world.client.patch(CronJob, 'tick', { merge: { spec: { schedule: '* * * * *' } } })
  await world.host.sleep(500)
  expect(await jobs(world)).toEqual([])
  await world.host.sleep(minuteMs)
  expect(await jobs(world)).toHaveLength(1)
})

test('records one Event for a schedule without any time', async () => {
  await using world = await controllerWorld(cronJobController())
  await create(world, { schedule: '0 0 31 2 *' })
  await world.host.sleep(24 * 60 * minuteMs)
  expect(await world.events('CronJob')).toEqual([
    'InvalidSchedule: invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second',
  ])
})

test('writes nothing between the scheduled times of a day', async () => {
  await using world = await controllerWorld(cronJobController())
  await create(world, { schedule: '*/5 * * * *', concurrencyPolicy: 'Replace' })
  world.writes()
  await world.host.sleep(24 * 60 * minuteMs)
  expect(await jobs(world)).toHaveLength(1)
  const writes = world.writes().filter((write) => !write.includes('events'))
  expect(writes.filter((write) => write === 'create jobs')).toHaveLength(288)
  // Each start deletes the previous Job, creates one and updates the status.
  expect(writes).toHaveLength(288 * 3 - 1)
})
