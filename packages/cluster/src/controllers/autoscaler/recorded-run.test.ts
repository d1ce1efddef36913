import { testWorld } from '@setpoint/cluster'
import {
  Deployment,
  Event,
  HorizontalPodAutoscaler,
  Pod,
  type MetricSpec,
  type MetricTarget,
} from 'setpoint/kinds'
import { expect, test } from 'vitest'

const resource = (name: string, target: MetricTarget): MetricSpec => ({
  type: 'Resource',
  resource: { name, target },
})

const metrics: MetricSpec[] = [
  resource('cpu', { type: 'Utilization', averageUtilization: 50 }),
  resource('memory', { type: 'AverageValue', averageValue: '100Mi' }),
  {
    type: 'ContainerResource',
    containerResource: {
      name: 'cpu',
      container: 'main',
      target: { type: 'AverageValue', averageValue: '200m' },
    },
  },
  {
    type: 'External',
    external: {
      metric: { name: 'queue', selector: { matchLabels: { q: 'a' } } },
      target: { type: 'AverageValue', averageValue: '30' },
    },
  },
]

/**
 * The reports of a real 1.36 with a metrics server of these values: replicas, conditions, current
 * metrics.
 */
const recorded = [
  {
    replicas: 4,
    current: 2,
    cpu: [150, '150m'],
    queue: '22500m',
    conditions: ['SucceededRescale', 'ValidMetricFound', 'ScaleUpLimit'],
  },
  {
    replicas: 6,
    current: 4,
    cpu: [150, '150m'],
    queue: '11250m',
    conditions: ['SucceededRescale', 'ValidMetricFound', 'DesiredWithinRange'],
  },
  {
    replicas: 8,
    current: 6,
    cpu: [150, '150m'],
    queue: '7500m',
    conditions: ['SucceededRescale', 'ValidMetricFound', 'TooManyReplicas'],
  },
  {
    replicas: 8,
    current: 8,
    cpu: [20, '20m'],
    queue: '12500m',
    conditions: ['ScaleDownStabilized', 'ValidMetricFound', 'TooManyReplicas'],
  },
]

async function startWorld() {
  const world = await testWorld({ operators: [], seed: 2, nodes: 'off' })
  const { host, cluster, client } = world
  const measured = (cpu: string, queue: string) => ({
    'setpoint.dev/metrics': JSON.stringify({
      cpu,
      memory: '50Mi',
      'container/main/cpu': cpu,
      'external/queue': queue,
    }),
  })
  return {
    ...world,
    measured,
    measure: async (cpu: string, queue: string) => {
      const merge = { metadata: { annotations: measured(cpu, queue) } }
      await client.patch(HorizontalPodAutoscaler, 'web', { merge })
    },
    /** Makes all pods ready, as if they had run for an hour. */
    ready: async () => {
      await cluster.settle()
      const ago = (minutes: number) =>
        `${new Date(host.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`
      const condition = { type: 'Ready', status: 'True', lastTransitionTime: ago(59) }
      const merge = { status: { phase: 'Running', startTime: ago(60), conditions: [condition] } }
      for (const { metadata } of await client.listAll(Pod)) {
        await client.patch(Pod, metadata, { merge, subresource: 'status' })
      }
    },
    seen: async () => {
      await host.sleep(15_000)
      const { status } = await client.get(HorizontalPodAutoscaler, 'web')
      const [ofCpu, ofMemory, ofContainer, ofQueue] = status?.currentMetrics ?? []
      const { averageUtilization, averageValue } = ofCpu?.resource?.current ?? {}
      expect(ofMemory?.resource?.current).toEqual({ averageValue: '50Mi' })
      expect(ofContainer?.containerResource?.current).toEqual({ averageValue })
      return {
        replicas: (await client.get(Deployment, 'web')).spec.replicas,
        current: status?.currentReplicas,
        cpu: [averageUtilization, averageValue],
        queue: ofQueue?.external?.current.averageValue,
        conditions: status?.conditions?.map(({ reason }) => reason),
      }
    },
  }
}

test('makes the same decisions as a recorded autoscaler of a real cluster', async () => {
  await using world = await startWorld()
  await world.cluster.settle()
  const labels = { app: 'web' }
  const requests = { cpu: '100m', memory: '64Mi' }
  const containers = [{ name: 'main', image: 'app', resources: { requests } }]
  const template = { metadata: { labels }, spec: { containers } }
  await world.client.create(Deployment, {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  })
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  await world.client.create(HorizontalPodAutoscaler, {
    metadata: { name: 'web', annotations: world.measured('150m', '45') },
    spec: { maxReplicas: 8, scaleTargetRef, metrics },
  })
  await world.ready()
  await world.host.sleep(1_000)
  const seen = [await world.seen()]
  // Two of four pods are pending now.
  seen.push(await world.seen())
  await world.ready()
  seen.push(await world.seen())
  await world.ready()
  await world.measure('20m', '100')
  seen.push(await world.seen())
  expect(seen).toEqual(recorded)
  const rescales = (await world.client.listAll(Event)).filter(
    ({ reason }) => reason === 'SuccessfulRescale',
  )
  const why = 'reason: cpu resource utilization (percentage of request) above target'
  expect(rescales.map(({ message }) => message).sort()).toEqual(
    [4, 6, 8].map((size) => `New size: ${size}; ${why}`),
  )
})
