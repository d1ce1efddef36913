import { readFile } from 'node:fs/promises'
import { type Cluster, createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { InferManifest } from 'setpoint'
import { virtualHost } from 'setpoint/host'
import { conditionOf, CronJob, Job, Pod } from 'setpoint/kinds'
import { CronTab } from './crontab.ts'
import cronTab from './operator.ts'

const sample = parse(
  await readFile(new URL('sample.yaml', import.meta.url), 'utf8'),
) as InferManifest<typeof CronTab>
const name = 'my-new-cron-object'

/** Pods of the sample run for ten seconds. */
function exitAfterTenSeconds(cluster: Cluster, code = 0): void {
  cluster.pods.behave('my-awesome-cron-image', { exits: { code, after: 10_000 } })
}

const minutes = 60_000

test('runs Jobs on schedule, and puts their times into the status', async () => {
  using host = virtualHost({ seed: 4 })
  await using cluster = await createCluster({ host, operators: [cronTab] })
  exitAfterTenSeconds(cluster)
  await cluster.client.create(CronTab, sample)
  await host.sleep(12 * minutes)
  const jobs = await cluster.client.listAll(Job, { namespace: 'default' })
  expect(jobs.length).toBeGreaterThanOrEqual(2)
  expect(jobs.every((job) => Job.isComplete(job))).toBe(true)
  const { status } = await cluster.client.get(CronTab, name)
  expect(status?.lastScheduleTime).toMatch(/:[0-5][05]:00Z$/)
  expect(status?.lastSuccessfulTime).toMatch(/Z$/)
})

test('applies changes of the schedule and of suspend', async () => {
  using host = virtualHost({ seed: 5 })
  await using cluster = await createCluster({ host, operators: [cronTab] })
  exitAfterTenSeconds(cluster)
  const { client } = cluster
  await client.create(CronTab, sample)
  await host.sleep(minutes)
  await client.patch(CronTab, name, { merge: { spec: { cronSpec: '0 3 * * *', suspend: true } } })
  await host.sleep(60 * minutes)
  expect((await client.get(CronJob, name)).spec).toMatchObject({
    schedule: '0 3 * * *',
    suspend: true,
  })
  const before = (await client.listAll(Job, { namespace: 'default' })).length
  await host.sleep(24 * 60 * minutes)
  expect((await client.listAll(Job, { namespace: 'default' })).length).toBe(before)
})

test('retries a failed run up to its limit', async () => {
  using host = virtualHost({ seed: 6 })
  await using cluster = await createCluster({ host, operators: [cronTab] })
  exitAfterTenSeconds(cluster, 1)
  await cluster.client.create(CronTab, {
    ...sample,
    spec: { ...sample.spec, cronSpec: '0 * * * *', retries: 2 },
  })
  await host.sleep(100 * minutes)
  const [job] = await cluster.client.listAll(Job, { namespace: 'default' })
  expect(job).toMatchObject({ status: { failed: 3 } })
  expect(Job.isFailed(job)).toBe(true)
})

test('reports the error of the server for an invalid schedule, and recovers after the next edit', async () => {
  using host = virtualHost({ seed: 7 })
  await using cluster = await createCluster({ host, operators: [cronTab] })
  const { client } = cluster
  await client.create(CronTab, { ...sample, spec: { ...sample.spec, cronSpec: '61 * * * *' } })
  await host.sleep(minutes)
  const ready = conditionOf(await client.get(CronTab, name), 'Ready')
  expect(ready).toMatchObject({ status: 'False' })
  expect(ready?.message).toContain('spec.schedule')
  await client.patch(CronTab, name, { merge: { spec: { cronSpec: '1 * * * *' } } })
  await host.sleep(minutes)
  expect(conditionOf(await client.get(CronTab, name), 'Ready')?.status).toBe('True')
})

test('deletes the Jobs and pods of a deleted CronTab', async () => {
  using host = virtualHost({ seed: 8 })
  await using cluster = await createCluster({ host, operators: [cronTab] })
  exitAfterTenSeconds(cluster)
  const { client } = cluster
  await client.create(CronTab, sample)
  await host.sleep(6 * minutes)
  await client.delete(CronTab, name)
  await host.sleep(2 * minutes)
  for (const kind of [CronJob, Job, Pod]) {
    expect(await client.listAll(kind, { namespace: 'default' })).toEqual([])
  }
})
