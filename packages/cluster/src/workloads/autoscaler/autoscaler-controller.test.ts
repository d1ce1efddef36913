import { createCluster, type Cluster } from '@setpoint/cluster'
import { defineResource } from 'setpoint'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost, type VirtualHost } from 'setpoint/host'
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

interface ScalerWorld extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
}

/** A whole cluster, whose nodes are played: pods become ready. */
async function world(): Promise<ScalerWorld> {
  const host = virtualHost({ seed: 6 })
  const cluster = await createCluster({ host })
  const client = new Client(host, await connectionFromKubeconfig(host, cluster.kubeconfig()))
  const dispose = async (): Promise<void> => cluster.dispose().then(() => host.stop())
  await cluster.settle()
  return { host, cluster, client, [Symbol.asyncDispose]: dispose }
}

async function deploy(
  it: ScalerWorld,
  replicas: number,
  requests = { cpu: '100m' },
): Promise<void> {
  const labels = { app: 'web' }
  const containers = [{ name: 'main', image: 'app', resources: { requests } }]
  const template = { metadata: { labels }, spec: { containers } }
  const spec = { replicas, selector: { matchLabels: labels }, template }
  await it.client.create(Deployment, { metadata: { name: 'web' }, spec })
  // Pods that have just started do not count.
  await it.host.sleep(30_000)
}

const cpu = (averageUtilization: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
})

interface Wanted extends Partial<HorizontalPodAutoscalerSpec> {
  readonly values?: object
  readonly name?: string
}

async function autoscale(
  it: ScalerWorld,
  { values, name = 'web', ...spec }: Wanted,
): Promise<void> {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  await it.client.create(HorizontalPodAutoscaler, {
    metadata: { name, annotations: valuesOf(values) },
    spec: { scaleTargetRef, maxReplicas: 8, metrics: [cpu(50)], ...spec },
  })
  await it.host.sleep(16_000)
}

const valuesOf = (values?: object): Record<string, string> =>
  values === undefined ? {} : { 'setpoint.dev/metrics': JSON.stringify(values) }

async function measure(it: ScalerWorld, values: object): Promise<void> {
  const merge = { metadata: { annotations: valuesOf(values) } }
  await it.client.patch(HorizontalPodAutoscaler, 'web', { merge })
}

const replicas = async ({ client }: ScalerWorld): Promise<number | undefined> =>
  (await client.get(Deployment, 'web')).spec.replicas

async function conditions({ client }: ScalerWorld, name = 'web'): Promise<string[]> {
  const { status } = await client.get(HorizontalPodAutoscaler, name)
  return (status?.conditions ?? []).map((one) => `${one.type}=${one.status} ${one.reason}`)
}

async function rescales({ client }: ScalerWorld): Promise<string[]> {
  return (await client.listAll(Event))
    .filter(({ reason }) => reason === 'SuccessfulRescale')
    .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    .map(({ message = '' }) => message)
}

test('a load above its target adds pods, at most twice as many at once, up to the maximum', async () => {
  await using it = await world()
  await deploy(it, 2)
  await autoscale(it, { values: { cpu: '250%' } })
  expect(await replicas(it)).toBe(4)
  const { status } = await it.client.get(HorizontalPodAutoscaler, 'web')
  expect(status).toMatchObject({
    ...{ currentReplicas: 2, desiredReplicas: 4 },
    currentMetrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', current: { averageUtilization: 250, averageValue: '250m' } },
      },
    ],
  })
  expect(await conditions(it)).toEqual([
    'AbleToScale=True SucceededRescale',
    'ScalingActive=True ValidMetricFound',
    'ScalingLimited=True ScaleUpLimit',
  ])
  await it.host.sleep(60_000)
  expect(await replicas(it)).toBe(8)
  expect(await conditions(it)).toContain('ScalingLimited=True TooManyReplicas')
  const reason = 'reason: cpu resource utilization (percentage of request) above target'
  expect(await rescales(it)).toEqual([`New size: 4; ${reason}`, `New size: 8; ${reason}`])
})

test('a load at its target changes nothing, and nothing is written then', async () => {
  await using it = await world()
  await deploy(it, 3)
  await autoscale(it, { values: { cpu: '52m' } })
  expect(await replicas(it)).toBe(3)
  expect(await conditions(it)).toEqual([
    'AbleToScale=True ReadyForNewScale',
    'ScalingActive=True ValidMetricFound',
    'ScalingLimited=False DesiredWithinRange',
  ])
  const before = it.cluster.trace.length
  await it.host.sleep(600_000)
  const writes = it.cluster.trace
    .slice(before)
    .filter(
      ({ verb, path }) => !['get', 'list', 'watch'].includes(verb) && !path.includes('/leases'),
    )
  expect(writes).toEqual([])
})

test('a load that goes takes pods away after five minutes, down to the minimum', async () => {
  await using it = await world()
  await deploy(it, 4)
  await autoscale(it, { minReplicas: 2, values: { cpu: '50%' } })
  await measure(it, { cpu: '1%' })
  await it.host.sleep(240_000)
  expect(await replicas(it)).toBe(4)
  expect(await conditions(it)).toContain('AbleToScale=True ScaleDownStabilized')
  await it.host.sleep(90_000)
  expect(await replicas(it)).toBe(2)
  expect(await rescales(it)).toEqual(['New size: 2; reason: All metrics below target'])
  expect(await conditions(it)).toContain('ScalingLimited=True TooFewReplicas')
})

test('rules of its own decide how fast it goes', async () => {
  await using it = await world()
  await deploy(it, 4)
  const policies = [{ type: 'Pods', value: 1, periodSeconds: 60 }]
  const scaleDown = { stabilizationWindowSeconds: 0, policies }
  await autoscale(it, { behavior: { scaleDown }, values: { cpu: '1%' } })
  expect(await replicas(it)).toBe(3)
  await it.host.sleep(45_000)
  expect(await replicas(it)).toBe(3)
  expect(await conditions(it)).toContain('ScalingLimited=True ScaleDownLimit')
  await it.host.sleep(30_000)
  expect(await replicas(it)).toBe(2)
})

test('the metric that asks for most decides; one that is missing does so only when less is asked for', async () => {
  await using it = await world()
  await deploy(it, 2)
  const target = (name: string, value: object) => ({ metric: { name }, target: value as never })
  const metrics: MetricSpec[] = [
    cpu(50),
    { type: 'Pods', pods: target('requests', { type: 'AverageValue', averageValue: '10' }) },
    { type: 'External', external: target('queue', { type: 'AverageValue', averageValue: '30' }) },
  ]
  await autoscale(it, { metrics, values: { cpu: '50%', 'pods/requests': 15 } })
  expect(await replicas(it)).toBe(3)
  expect(await rescales(it)).toEqual(['New size: 3; reason: pods metric requests above target'])
  await measure(it, { cpu: '50%', 'pods/requests': 10, 'external/queue': '150' })
  await it.host.sleep(16_000)
  expect(await replicas(it)).toBe(5)
  expect((await rescales(it)).at(-1)).toBe(
    'New size: 5; reason: external metric queue(nil) above target',
  )
  await it.host.sleep(60_000)
  await measure(it, { cpu: '1%', 'pods/requests': 1 })
  await it.host.sleep(16_000)
  expect(await conditions(it)).toContain('ScalingActive=False FailedGetExternalMetric')
})

test('pods that ask for nothing cannot be measured by what they ask for', async () => {
  await using it = await world()
  await deploy(it, 1, {} as never)
  await autoscale(it, { values: { cpu: '100m' } })
  const { status } = await it.client.get(HorizontalPodAutoscaler, 'web')
  expect(status?.conditions?.[1]?.message).toMatch(
    /^the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container main of Pod web-[a-z0-9-]+$/,
  )
})

test('two autoscalers of the same pods get in the way of each other', async () => {
  await using it = await world()
  await deploy(it, 2)
  await autoscale(it, { values: { cpu: '50%' } })
  await autoscale(it, { name: 'other', values: { cpu: '50%' } })
  await it.host.sleep(30_000)
  const ambiguous = 'ScalingActive=False AmbiguousSelector'
  expect(await conditions(it)).toContain(ambiguous)
  expect(await conditions(it, 'other')).toContain(ambiguous)
})

test('anything that has a scale can be scaled', async () => {
  const Group = defineResource({
    ...{ group: 'example.com', version: 'v1', kind: 'Group' },
    spec: z.object({ replicas: z.int32() }),
    status: z.object({ replicas: z.int32().optional(), selector: z.string().optional() }),
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  })
  await using it = await world()
  await it.client.create(CustomResourceDefinition, Group.crd())
  await it.cluster.settle()
  await it.client.create(Group, { metadata: { name: 'g' }, spec: { replicas: 1 } })
  const scaleTargetRef = { apiVersion: 'example.com/v1', kind: 'Group', name: 'g' }
  await autoscale(it, { scaleTargetRef, minReplicas: 3 })
  expect((await it.client.get(Group, 'g')).spec.replicas).toBe(3)
  await it.host.sleep(16_000)
  expect(await conditions(it)).toContain('ScalingActive=False InvalidSelector')
})
