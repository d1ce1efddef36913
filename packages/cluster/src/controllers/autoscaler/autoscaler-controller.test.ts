import { testWorld, type TestWorld } from '@setpoint/cluster'
import { defineResource } from 'setpoint'
import {
  CustomResourceDefinition,
  Deployment,
  Event,
  HorizontalPodAutoscaler,
  type HorizontalPodAutoscalerSpec,
  type MetricSpec,
} from 'setpoint/kinds'
import { expect, test } from 'vitest'
import * as z from 'zod'

/** A whole cluster with simulated nodes: pods become ready. */
async function startWorld(): Promise<TestWorld> {
  const world = await testWorld({ operators: [], seed: 6 })
  await world.settle()
  return world
}

async function deploy(
  world: TestWorld,
  replicas: number,
  requests = { cpu: '100m' },
): Promise<void> {
  const labels = { app: 'web' }
  const containers = [{ name: 'main', image: 'app', resources: { requests } }]
  const template = { metadata: { labels }, spec: { containers } }
  const spec = { replicas, selector: { matchLabels: labels }, template }
  await world.client.create(Deployment, { metadata: { name: 'web' }, spec })
  // The CPU usage of pods that have just started is ignored.
  await world.host.sleep(30_000)
}

const cpu = (averageUtilization: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
})

interface AutoscalerOptions extends Partial<HorizontalPodAutoscalerSpec> {
  readonly values?: object
  readonly name?: string
}

async function autoscale(
  world: TestWorld,
  { values, name = 'web', ...spec }: AutoscalerOptions,
): Promise<void> {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  await world.client.create(HorizontalPodAutoscaler, {
    metadata: { name, annotations: valuesOf(values) },
    spec: { scaleTargetRef, maxReplicas: 8, metrics: [cpu(50)], ...spec },
  })
  await world.host.sleep(16_000)
}

const valuesOf = (values?: object): Record<string, string> =>
  values === undefined ? {} : { 'setpoint.dev/metrics': JSON.stringify(values) }

async function measure(world: TestWorld, values: object): Promise<void> {
  const merge = { metadata: { annotations: valuesOf(values) } }
  await world.client.patch(HorizontalPodAutoscaler, 'web', { merge })
}

const replicas = async ({ client }: TestWorld): Promise<number | undefined> =>
  (await client.get(Deployment, 'web')).spec.replicas

async function conditions({ client }: TestWorld, name = 'web'): Promise<string[]> {
  const { status } = await client.get(HorizontalPodAutoscaler, name)
  return (status?.conditions ?? []).map((one) => `${one.type}=${one.status} ${one.reason}`)
}

async function rescales({ client }: TestWorld): Promise<string[]> {
  return (await client.listAll(Event))
    .filter(({ reason }) => reason === 'SuccessfulRescale')
    .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    .map(({ message = '' }) => message)
}

test('scales up above the target, at most to double, up to maxReplicas', async () => {
  await using world = await startWorld()
  await deploy(world, 2)
  await autoscale(world, { values: { cpu: '250%' } })
  expect(await replicas(world)).toBe(4)
  const { status } = await world.client.get(HorizontalPodAutoscaler, 'web')
  expect(status).toMatchObject({
    currentReplicas: 2,
    desiredReplicas: 4,
    currentMetrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', current: { averageUtilization: 250, averageValue: '250m' } },
      },
    ],
  })
  expect(await conditions(world)).toEqual([
    'AbleToScale=True SucceededRescale',
    'ScalingActive=True ValidMetricFound',
    'ScalingLimited=True ScaleUpLimit',
  ])
  await world.host.sleep(60_000)
  expect(await replicas(world)).toBe(8)
  expect(await conditions(world)).toContain('ScalingLimited=True TooManyReplicas')
  const reason = 'reason: cpu resource utilization (percentage of request) above target'
  expect(await rescales(world)).toEqual([`New size: 4; ${reason}`, `New size: 8; ${reason}`])
})

test('changes and writes nothing at the target', async () => {
  await using world = await startWorld()
  await deploy(world, 3)
  await autoscale(world, { values: { cpu: '52m' } })
  expect(await replicas(world)).toBe(3)
  expect(await conditions(world)).toEqual([
    'AbleToScale=True ReadyForNewScale',
    'ScalingActive=True ValidMetricFound',
    'ScalingLimited=False DesiredWithinRange',
  ])
  const before = world.cluster.trace.length
  await world.host.sleep(600_000)
  const writes = world.cluster.trace
    .slice(before)
    .filter(
      ({ verb, path }) => !['get', 'list', 'watch'].includes(verb) && !path.includes('/leases'),
    )
  expect(writes).toEqual([])
})

test('scales down after five minutes, to minReplicas', async () => {
  await using world = await startWorld()
  await deploy(world, 4)
  await autoscale(world, { minReplicas: 2, values: { cpu: '50%' } })
  await measure(world, { cpu: '1%' })
  await world.host.sleep(240_000)
  expect(await replicas(world)).toBe(4)
  expect(await conditions(world)).toContain('AbleToScale=True ScaleDownStabilized')
  await world.host.sleep(90_000)
  expect(await replicas(world)).toBe(2)
  expect(await rescales(world)).toEqual(['New size: 2; reason: All metrics below target'])
  expect(await conditions(world)).toContain('ScalingLimited=True TooFewReplicas')
})

test('respects the policies of its behavior', async () => {
  await using world = await startWorld()
  await deploy(world, 4)
  const policies = [{ type: 'Pods', value: 1, periodSeconds: 60 }]
  const scaleDown = { stabilizationWindowSeconds: 0, policies }
  await autoscale(world, { behavior: { scaleDown }, values: { cpu: '1%' } })
  expect(await replicas(world)).toBe(3)
  await world.host.sleep(45_000)
  expect(await replicas(world)).toBe(3)
  expect(await conditions(world)).toContain('ScalingLimited=True ScaleDownLimit')
  await world.host.sleep(30_000)
  expect(await replicas(world)).toBe(2)
})

test('uses the metric with the most replicas; a missing metric only blocks scaling down', async () => {
  await using world = await startWorld()
  await deploy(world, 2)
  const target = (name: string, value: object) => ({ metric: { name }, target: value as never })
  const metrics: MetricSpec[] = [
    cpu(50),
    { type: 'Pods', pods: target('requests', { type: 'AverageValue', averageValue: '10' }) },
    { type: 'External', external: target('queue', { type: 'AverageValue', averageValue: '30' }) },
  ]
  await autoscale(world, { metrics, values: { cpu: '50%', 'pods/requests': 15 } })
  expect(await replicas(world)).toBe(3)
  expect(await rescales(world)).toEqual(['New size: 3; reason: pods metric requests above target'])
  await measure(world, { cpu: '50%', 'pods/requests': 10, 'external/queue': '150' })
  await world.host.sleep(16_000)
  expect(await replicas(world)).toBe(5)
  expect((await rescales(world)).at(-1)).toBe(
    'New size: 5; reason: external metric queue(nil) above target',
  )
  await world.host.sleep(60_000)
  await measure(world, { cpu: '1%', 'pods/requests': 1 })
  await world.host.sleep(16_000)
  expect(await conditions(world)).toContain('ScalingActive=False FailedGetExternalMetric')
})

test('reports missing resource requests for a utilization target', async () => {
  await using world = await startWorld()
  await deploy(world, 1, {} as never)
  await autoscale(world, { values: { cpu: '100m' } })
  const { status } = await world.client.get(HorizontalPodAutoscaler, 'web')
  expect(status?.conditions?.[1]?.message).toMatch(
    /^the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container main of Pod web-[a-z0-9-]+$/,
  )
})

test('reports an ambiguous selector for two autoscalers of the same pods', async () => {
  await using world = await startWorld()
  await deploy(world, 2)
  await autoscale(world, { values: { cpu: '50%' } })
  await autoscale(world, { name: 'other', values: { cpu: '50%' } })
  await world.host.sleep(30_000)
  const ambiguous = 'ScalingActive=False AmbiguousSelector'
  expect(await conditions(world)).toContain(ambiguous)
  expect(await conditions(world, 'other')).toContain(ambiguous)
})

test('scales a custom resource with a scale subresource', async () => {
  const Group = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Group',
    spec: z.object({ replicas: z.int32() }),
    status: z.object({ replicas: z.int32().optional(), selector: z.string().optional() }),
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  })
  await using world = await startWorld()
  await world.client.create(CustomResourceDefinition, Group.crd())
  await world.cluster.settle()
  await world.client.create(Group, { metadata: { name: 'g' }, spec: { replicas: 1 } })
  const scaleTargetRef = { apiVersion: 'example.com/v1', kind: 'Group', name: 'g' }
  await autoscale(world, { scaleTargetRef, minReplicas: 3 })
  expect((await world.client.get(Group, 'g')).spec.replicas).toBe(3)
  await world.host.sleep(16_000)
  expect(await conditions(world)).toContain('ScalingActive=False InvalidSelector')
})
