import { conditionOf, Job, Pod, ResourceQuota, type JobSpec } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { controllerWorld, type ControllerWorld } from '../testdata/controller-world.ts'
import { jobController, jobOrphanController, ttlAfterFinishedController } from './index.ts'

const template = {
  metadata: { labels: { app: 'work' } },
  spec: { restartPolicy: 'Never' as const, containers: [{ name: 'main', image: 'work' }] },
}

async function jobWorld(): Promise<ControllerWorld> {
  return controllerWorld(jobController(), jobOrphanController(), ttlAfterFinishedController())
}

async function create(world: ControllerWorld, spec: Partial<JobSpec> = {}): Promise<void> {
  await world.client.create(Job, { metadata: { name: 'work' }, spec: { template, ...spec } })
  await world.host.sleep(2_000)
}

const statusNow = async (world: ControllerWorld) =>
  (await world.client.get(Job, 'work')).status ?? {}

async function conditionsNow(world: ControllerWorld): Promise<string[]> {
  const { conditions = [] } = await statusNow(world)
  return conditions.map(
    ({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`,
  )
}

async function end(world: ControllerWorld, pod: Pod, exitCode = 0): Promise<void> {
  const finishedAt = `${new Date(world.host.now()).toISOString().slice(0, 19)}Z`
  const terminated = { exitCode, finishedAt, startedAt: finishedAt }
  await world.move(pod, {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    containerStatuses: [
      {
        name: 'main',
        image: 'work',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { terminated },
      },
    ],
  })
  await world.host.sleep(2_000)
}

/** The pending pods. */
async function active(world: ControllerWorld): Promise<Pod[]> {
  return (await world.pods()).filter(({ status }) => status?.phase === 'Pending')
}

test('creates a pod, counts its success once, and completes the Job', async () => {
  await using world = await jobWorld()
  await create(world)
  const [pod] = await world.pods()
  const { metadata } = await world.client.get(Job, 'work')
  expect(pod?.metadata.name).toMatch(/^work-[a-z0-9]{5}$/)
  expect(pod?.metadata.labels).toEqual({
    app: 'work',
    'batch.kubernetes.io/controller-uid': metadata.uid,
    'batch.kubernetes.io/job-name': 'work',
    'controller-uid': metadata.uid,
    'job-name': 'work',
  })
  expect(pod?.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking'])
  expect(pod?.metadata.annotations).toBeUndefined()
  expect(await statusNow(world)).toEqual({
    active: 1,
    ready: 0,
    startTime: expect.any(String) as string,
    terminating: 0,
    uncountedTerminatedPods: {},
  })
  if (pod === undefined) return
  await end(world, pod)
  expect(await statusNow(world)).toEqual({
    completionTime: expect.any(String) as string,
    conditions: expect.any(Array) as [],
    ready: 0,
    startTime: expect.any(String) as string,
    succeeded: 1,
    terminating: 0,
    uncountedTerminatedPods: {},
  })
  expect(await conditionsNow(world)).toEqual([
    'SuccessCriteriaMet=True CompletionsReached: Reached expected number of succeeded pods',
    'Complete=True CompletionsReached: Reached expected number of succeeded pods',
  ])
  expect((await world.pods())[0]?.metadata.finalizers).toBeUndefined()
  expect(await world.events('Job')).toEqual([
    `SuccessfulCreate: Created pod: ${pod.metadata.name}`,
    'Completed: Job completed',
  ])
  world.writes()
  await world.host.sleep(3_600_000)
  expect(world.writes()).toEqual([])
})

test('runs up to `parallelism` pods, and no more than completions are left', async () => {
  await using world = await jobWorld()
  await create(world, { parallelism: 2, completions: 3 })
  for (const [at, left] of [2, 2, 1].entries()) {
    const pods = await active(world)
    expect(pods).toHaveLength(left)
    if (pods[0] !== undefined) await end(world, pods[0])
    expect((await statusNow(world)).succeeded).toBe(at + 1)
  }
  expect(await active(world)).toEqual([])
  expect(Job.isComplete(await world.client.get(Job, 'work'))).toBe(true)
})

test('deletes the pods with the least progress when parallelism is reduced', async () => {
  await using world = await jobWorld()
  await create(world, { parallelism: 3, completions: 5 })
  const [, running] = await active(world)
  if (running !== undefined) await world.move(running, { phase: 'Running' })
  await world.client.patch(Job, 'work', { merge: { spec: { parallelism: 1 } } })
  await world.host.sleep(3_000)
  expect((await world.pods()).map(({ metadata }) => metadata.name)).toEqual([
    running?.metadata.name,
  ])
  expect(await statusNow(world)).toMatchObject({ active: 1, terminating: 0 })
})

test('completes a work queue when one pod succeeded and the others finished', async () => {
  await using world = await jobWorld()
  await create(world, { parallelism: 2 })
  const [one, other] = await active(world)
  if (one === undefined || other === undefined) throw new Error('two pods')
  await end(world, one)
  expect(await statusNow(world)).toMatchObject({ succeeded: 1, active: 1 })
  expect(await conditionsNow(world)).toEqual([])
  await end(world, other)
  expect(await conditionsNow(world)).toHaveLength(2)
})

test('waits 10 seconds after the first failure, then 20, until the backoff limit is reached', async () => {
  await using world = await jobWorld()
  await create(world, { backoffLimit: 2 })
  for (const waitMs of [10_000, 20_000]) {
    const [pod] = await active(world)
    if (pod !== undefined) await end(world, pod, 1)
    await world.host.sleep(waitMs - 4_000)
    expect(await active(world)).toEqual([])
    await world.host.sleep(4_000)
    expect(await active(world)).toHaveLength(1)
  }
  const [last] = await active(world)
  if (last !== undefined) await end(world, last, 1)
  expect(await conditionsNow(world)).toEqual([
    'FailureTarget=True BackoffLimitExceeded: Job has reached the specified backoff limit',
    'Failed=True BackoffLimitExceeded: Job has reached the specified backoff limit',
  ])
  expect(await statusNow(world)).toMatchObject({ failed: 3, ready: 0, terminating: 0 })
  expect((await world.events('Job')).at(-1)).toBe(
    'BackoffLimitExceeded: Job has reached the specified backoff limit',
  )
})

test('deletes active pods of a failed Job and counts them as failed', async () => {
  await using world = await jobWorld()
  await create(world, { parallelism: 3, backoffLimit: 0 })
  const [pod] = await active(world)
  if (pod !== undefined) await end(world, pod, 1)
  await world.host.sleep(3_000)
  expect(await world.pods()).toHaveLength(1)
  const status = await statusNow(world)
  expect(status).toMatchObject({ failed: 3, terminating: 0 })
  expect(status.active).toBeUndefined()
  expect(Job.isFailed(await world.client.get(Job, 'work'))).toBe(true)
})

test('fails a Job after its active deadline', async () => {
  await using world = await jobWorld()
  await create(world, { activeDeadlineSeconds: 60 })
  await world.host.sleep(57_000)
  expect(await conditionsNow(world)).toEqual([])
  await world.host.sleep(5_000)
  expect(await conditionsNow(world)).toEqual([
    'FailureTarget=True DeadlineExceeded: Job was active longer than specified deadline',
    'Failed=True DeadlineExceeded: Job was active longer than specified deadline',
  ])
})

test('deletes the pods and the start time of a suspended Job, and restores both on resume', async () => {
  await using world = await jobWorld()
  await create(world)
  await world.client.patch(Job, 'work', { merge: { spec: { suspend: true } } })
  await world.host.sleep(3_000)
  expect(await world.pods()).toEqual([])
  expect(await conditionsNow(world)).toEqual(['Suspended=True JobSuspended: Job suspended'])
  expect(await statusNow(world)).toEqual({
    conditions: expect.any(Array) as [],
    ready: 0,
    terminating: 0,
    uncountedTerminatedPods: {},
  })
  await world.client.patch(Job, 'work', { merge: { spec: { suspend: false } } })
  await world.host.sleep(3_000)
  expect(await active(world)).toHaveLength(1)
  expect(await conditionsNow(world)).toEqual(['Suspended=False JobResumed: Job resumed'])
  const { status } = await world.client.get(Job, 'work')
  expect(status?.startTime).toBe(conditionOf({ status }, 'Suspended')?.lastTransitionTime)
  const reasons = (await world.events('Job')).map((event) => event.split(':')[0])
  expect(reasons).toEqual([
    'SuccessfulCreate',
    'SuccessfulDelete',
    'Suspended',
    'SuccessfulCreate',
    'Resumed',
  ])
})

test('creates a pod for every index of an indexed Job', async () => {
  await using world = await jobWorld()
  await create(world, { completionMode: 'Indexed', completions: 4, parallelism: 3 })
  const pods = await world.pods()
  expect(pods.map(({ spec }) => spec.hostname)).toEqual(['work-0', 'work-1', 'work-2'])
  expect(pods[1]?.metadata.name).toMatch(/^work-1-[a-z0-9]{5}$/)
  expect(pods[1]?.metadata.annotations).toEqual({ 'batch.kubernetes.io/job-completion-index': '1' })
  expect(pods[1]?.metadata.labels?.['batch.kubernetes.io/job-completion-index']).toBe('1')
  expect(pods[1]?.spec.containers[0]?.env).toEqual([
    {
      name: 'JOB_COMPLETION_INDEX',
      valueFrom: {
        fieldRef: {
          apiVersion: 'v1',
          fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']",
        },
      },
    },
  ])
  for (const pod of pods.slice(1)) await end(world, pod)
  expect(await statusNow(world)).toMatchObject({ completedIndexes: '1,2', succeeded: 2, active: 2 })
  for (const pod of await active(world)) await end(world, pod)
  expect(await statusNow(world)).toMatchObject({ completedIndexes: '0-3', succeeded: 4 })
  expect(Job.isComplete(await world.client.get(Job, 'work'))).toBe(true)
})

test('fails an index after its backoff limit, and the Job when all other indexes are done', async () => {
  await using world = await jobWorld()
  const spec = { completionMode: 'Indexed' as const, completions: 2, parallelism: 2 }
  await create(world, { ...spec, backoffLimitPerIndex: 1 })
  expect((await statusNow(world)).failedIndexes).toBe('')
  const [zero, one] = await active(world)
  if (zero === undefined || one === undefined) throw new Error('two pods')
  await end(world, zero, 1)
  await world.host.sleep(12_000)
  const [again] = (await active(world)).filter(({ spec }) => spec.hostname === 'work-0')
  expect(again?.metadata.annotations).toMatchObject({
    'batch.kubernetes.io/job-index-failure-count': '1',
  })
  expect(await statusNow(world)).toMatchObject({ failed: 1, active: 2 })
  if (again !== undefined) await end(world, again, 1)
  expect(await statusNow(world)).toMatchObject({ failedIndexes: '0', failed: 2, active: 1 })
  await end(world, one)
  expect(await statusNow(world)).toMatchObject({ completedIndexes: '1', failedIndexes: '0' })
  expect(await conditionsNow(world)).toEqual([
    'FailureTarget=True FailedIndexes: Job has failed indexes',
    'Failed=True FailedIndexes: Job has failed indexes',
  ])
})

test('completes a Job by its success policy before all indexes are done', async () => {
  await using world = await jobWorld()
  const successPolicy = { rules: [{ succeededIndexes: '0' }] }
  const spec = { completionMode: 'Indexed' as const, completions: 2, parallelism: 2 }
  await create(world, { ...spec, successPolicy })
  const [zero] = await active(world)
  if (zero !== undefined) await end(world, zero)
  await world.host.sleep(2_000)
  expect(await conditionsNow(world)).toEqual([
    'SuccessCriteriaMet=True SuccessPolicy: Matched rules at index 0',
    'Complete=True SuccessPolicy: Matched rules at index 0',
  ])
  expect(await world.pods()).toHaveLength(1)
  expect((await statusNow(world)).failed).toBeUndefined()
})

test('fails a Job by a FailJob rule of the pod failure policy', async () => {
  await using world = await jobWorld()
  const onExitCodes = { operator: 'In' as const, values: [42] }
  await create(world, { podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] } })
  const [pod] = await active(world)
  if (pod !== undefined) await end(world, pod, 42)
  const message = `Container main for pod default/${pod?.metadata.name} failed with exit code 42 matching FailJob rule at index 0`
  expect(await conditionsNow(world)).toEqual([
    `FailureTarget=True PodFailurePolicy: ${message}`,
    `Failed=True PodFailurePolicy: ${message}`,
  ])
})

test('records an Event for pods that a quota refuses, and creates them when the quota allows', async () => {
  await using world = await jobWorld()
  const limit = async (hard: string): Promise<void> => {
    const merge = {
      spec: { hard: { pods: hard } },
      status: { hard: { pods: hard }, used: { pods: '0' } },
    }
    await world.client.patch(ResourceQuota, 'few', { merge })
    await world.client.patch(ResourceQuota, 'few', { merge, subresource: 'status' })
  }
  await world.client.create(ResourceQuota, { metadata: { name: 'few' }, spec: {} })
  await limit('0')
  await create(world)
  expect(await world.pods()).toEqual([])
  expect((await statusNow(world)).active).toBeUndefined()
  expect((await world.events('Job'))[0]).toMatch(
    /^FailedCreate: Error creating: pods "work-\w{5}" is forbidden: exceeded quota: few, requested: pods=1, used: pods=0, limited: pods=0/,
  )
  await limit('1')
  await world.host.sleep(60_000)
  expect(await world.pods()).toHaveLength(1)
  expect(await statusNow(world)).toMatchObject({ active: 1 })
})

test.each([
  ['listed in the status', false],
  ['listed in the status and released', true],
])('counts a pod only once if it was %s by an earlier process', async (_, isReleased) => {
  await using world = await jobWorld()
  await create(world, { completions: 2, parallelism: 1 })
  const [pod] = await active(world)
  if (pod === undefined) throw new Error('a pod')
  const status = { uncountedTerminatedPods: { succeeded: [pod.metadata.uid] } }
  await world.client.patch(Job, 'work', { merge: { status }, subresource: 'status' })
  await world.move(pod, { phase: 'Succeeded' })
  if (isReleased) {
    await world.client.patch(Pod, pod.metadata, { merge: { metadata: { finalizers: null } } })
  }
  await world.host.sleep(3_000)
  expect(await statusNow(world)).toMatchObject({
    succeeded: 1,
    active: 1,
    uncountedTerminatedPods: {},
  })
})

test('ignores a Job that is managed by another controller', async () => {
  await using world = await jobWorld()
  await create(world, { managedBy: 'example.com/queue' })
  expect(await world.pods()).toEqual([])
  expect(await statusNow(world)).toEqual({})
})

test('removes the finalizer of the pods of a deleted Job', async () => {
  await using world = await jobWorld()
  await create(world)
  await world.client.delete(Job, 'work', { propagation: 'Background' })
  await world.host.sleep(2_000)
  const [pod] = await world.pods()
  expect(pod?.metadata.finalizers).toBeUndefined()
})

test('deletes a Job after its TTL', async () => {
  await using world = await jobWorld()
  await create(world, { ttlSecondsAfterFinished: 100 })
  const [pod] = await active(world)
  if (pod !== undefined) await end(world, pod)
  await world.host.sleep(90_000)
  expect((await world.client.get(Job, 'work')).metadata.deletionTimestamp).toBeUndefined()
  await world.host.sleep(20_000)
  const { metadata } = await world.client.get(Job, 'work')
  expect(metadata.finalizers).toEqual(['foregroundDeletion'])
})
