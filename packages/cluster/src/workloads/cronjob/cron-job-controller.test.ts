import { CronJob, Job, type CronJobSpec } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { controllerWorld, type ControllerWorld } from '../testdata/controller-world.ts'
import { cronJobController } from './index.ts'

const minuteMs = 60_000
const template = {
  spec: { restartPolicy: 'Never' as const, containers: [{ name: 'main', image: 'work' }] },
}

async function create(it: ControllerWorld, spec: Partial<CronJobSpec> = {}): Promise<void> {
  const jobTemplate = { metadata: { labels: { app: 'tick' } }, spec: { template } }
  // From the beginning of a minute, whatever the clock says.
  await it.host.sleep(minuteMs - (it.host.now() % minuteMs))
  await it.client.create(CronJob, {
    metadata: { name: 'tick' },
    spec: { schedule: '* * * * *', jobTemplate, ...spec },
  })
}

async function jobs(it: ControllerWorld): Promise<Job[]> {
  const all = await it.client.listAll(Job, { namespace: 'default' })
  return all.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
}

async function end(it: ControllerWorld, job: Job, type: 'Complete' | 'Failed'): Promise<void> {
  const time = `${new Date(it.host.now()).toISOString().slice(0, 19)}Z`
  const interim = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  const conditions = [interim, type].map((each) => ({
    ...{ type: each, status: 'True', reason: 'Test', message: 'over' },
    ...{ lastProbeTime: time, lastTransitionTime: time },
  }))
  const status = {
    startTime: time,
    conditions,
    ...(type === 'Complete' && { completionTime: time }),
  }
  await it.client.patch(Job, job.metadata, { merge: { status }, subresource: 'status' })
  await it.host.sleep(1_000)
}

const statusNow = async (it: ControllerWorld) => (await it.client.get(CronJob, 'tick')).status ?? {}

test('every start makes a Job that carries its time', async () => {
  await using it = await controllerWorld(cronJobController())
  await create(it, { timeZone: 'Asia/Tokyo' })
  const startMs = (Math.floor(it.host.now() / minuteMs) + 1) * minuteMs
  await it.host.sleep(minuteMs + 1_000)
  const [job] = await jobs(it)
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
  expect(await statusNow(it)).toEqual({
    active: [
      {
        ...{ apiVersion: 'batch/v1', kind: 'Job', name, namespace, uid },
        resourceVersion: expect.any(String) as string,
      },
    ],
    lastScheduleTime: `${new Date(startMs).toISOString().slice(0, 19)}Z`,
  })
  expect(await it.events('CronJob')).toEqual([`SuccessfulCreate: Created job ${name}`])
})

test('a Job that is over is no longer active, and its success is noted', async () => {
  await using it = await controllerWorld(cronJobController())
  await create(it, { schedule: '0 * * * *' })
  await it.host.sleep(61 * minuteMs)
  const [job] = await jobs(it)
  if (job !== undefined) await end(it, job, 'Complete')
  const { active, lastSuccessfulTime } = await statusNow(it)
  expect(active).toBeUndefined()
  expect(lastSuccessfulTime).toBe((await jobs(it))[0]?.status?.completionTime)
  expect((await it.events('CronJob'))[1]).toBe(
    `SawCompletedJob: Saw completed job: ${job?.metadata.name}, condition: Complete`,
  )
})

test('only as many Jobs that are over are kept as there should be', async () => {
  await using it = await controllerWorld(cronJobController())
  await create(it, { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 0 })
  const names: string[] = []
  for (let count = 0; count < 4; count += 1) {
    await it.host.sleep(minuteMs + 500)
    const job = (await jobs(it)).at(-1)
    if (job === undefined) throw new Error('a Job')
    names.push(job.metadata.name)
    await end(it, job, count === 3 ? 'Failed' : 'Complete')
    await it.host.sleep(minuteMs - ((it.host.now() + 1_000) % minuteMs))
  }
  await it.client.patch(CronJob, 'tick', { merge: { spec: { suspend: true } } })
  await it.host.sleep(minuteMs)
  const kept = (await jobs(it)).filter(({ status }) => status?.conditions !== undefined)
  expect(kept.map(({ metadata }) => metadata.name)).toEqual(names.slice(1, 3))
  expect(await it.events('CronJob')).toContain(`SuccessfulDelete: Deleted job ${names[0]}`)
})

test.each([
  ['Allow' as const, 2, undefined],
  ['Forbid' as const, 1, 'JobAlreadyActive: Not starting job because prior execution is running'],
  ['Replace' as const, 1, 'SuccessfulDelete: Deleted job tick-'],
])('with %s there are %i Jobs after two starts', async (concurrencyPolicy, count, event) => {
  await using it = await controllerWorld(cronJobController())
  await create(it, { concurrencyPolicy })
  await it.host.sleep(minuteMs + 1_000)
  const [first] = await jobs(it)
  await it.host.sleep(minuteMs)
  const now = await jobs(it)
  expect(now).toHaveLength(count)
  expect((await statusNow(it)).active).toHaveLength(count)
  expect(now[0]?.metadata.uid === first?.metadata.uid).toBe(concurrencyPolicy !== 'Replace')
  if (event !== undefined) expect((await it.events('CronJob')).join()).toContain(event)
})

test('a suspended CronJob starts nothing, and makes up for the last start when it is resumed', async () => {
  await using it = await controllerWorld(cronJobController())
  await create(it, { suspend: true })
  await it.host.sleep(10 * minuteMs)
  expect(await jobs(it)).toEqual([])
  await it.client.patch(CronJob, 'tick', { merge: { spec: { suspend: false } } })
  await it.host.sleep(1_000)
  expect(await jobs(it)).toHaveLength(1)
})

test('more than a hundred missed starts are told, and the last is made up for', async () => {
  await using it = await controllerWorld(cronJobController())
  await create(it, { suspend: true })
  await it.host.sleep(200 * minuteMs)
  await it.client.patch(CronJob, 'tick', { merge: { spec: { suspend: false } } })
  await it.host.sleep(1_000)
  expect(await jobs(it)).toHaveLength(1)
  expect((await it.events('CronJob'))[0]).toBe(
    'TooManyMissedTimes: too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
  )
})

test('a start that is too long ago is not made up for', async () => {
  await using it = await controllerWorld(cronJobController())
  await create(it, { schedule: '@hourly', suspend: true, startingDeadlineSeconds: 60 })
  await it.host.sleep(90 * minuteMs - (it.host.now() % (60 * minuteMs)))
  await it.client.patch(CronJob, 'tick', { merge: { spec: { suspend: false } } })
  await it.host.sleep(1_000)
  expect(await jobs(it)).toEqual([])
})

test('a new schedule does not make up for what it would have started before', async () => {
  await using it = await controllerWorld(cronJobController())
  await create(it, { schedule: '0 0 1 1 *' })
  await it.host.sleep(5 * minuteMs)
  await it.client.patch(CronJob, 'tick', { merge: { spec: { schedule: '* * * * *' } } })
  await it.host.sleep(500)
  expect(await jobs(it)).toEqual([])
  await it.host.sleep(minuteMs)
  expect(await jobs(it)).toHaveLength(1)
})

test('a schedule that never comes is told once', async () => {
  await using it = await controllerWorld(cronJobController())
  await create(it, { schedule: '0 0 31 2 *' })
  await it.host.sleep(24 * 60 * minuteMs)
  expect(await it.events('CronJob')).toEqual([
    'InvalidSchedule: invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second',
  ])
})

test('a day of starts every five minutes costs nothing between them', async () => {
  await using it = await controllerWorld(cronJobController())
  await create(it, { schedule: '*/5 * * * *', concurrencyPolicy: 'Replace' })
  it.writes()
  await it.host.sleep(24 * 60 * minuteMs)
  expect(await jobs(it)).toHaveLength(1)
  const writes = it.writes().filter((write) => !write.includes('events'))
  expect(writes.filter((write) => write === 'create jobs')).toHaveLength(288)
  // Each replaces the one before it, and the status says so.
  expect(writes).toHaveLength(288 * 3 - 1)
})
