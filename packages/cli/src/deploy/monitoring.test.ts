import {
  APIService,
  ConfigMap,
  CustomResourceDefinition,
  PodDisruptionBudget,
} from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { deployCommand } from '../commands/deploy-command.ts'
import { undeployCommand } from '../commands/undeploy-command.ts'
import { ServiceMonitor } from '../generate/index.ts'
import { deployWorld } from './testdata/deploy-world.ts'

const image = ['--image', 'registry.example.com/shop:1'] as const

type World = Awaited<ReturnType<typeof deployWorld>>

/** Installs CRDs with the names of the Prometheus Operator. */
async function installPrometheusOperator({ client, host }: World): Promise<void> {
  for (const [kind, plural] of [
    ['ServiceMonitor', 'servicemonitors'],
    ['PrometheusRule', 'prometheusrules'],
  ] as const) {
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const
    await client.create(CustomResourceDefinition, {
      metadata: { name: `${plural}.monitoring.coreos.com` },
      spec: {
        group: 'monitoring.coreos.com',
        names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
        scope: 'Namespaced',
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
        ],
      },
    })
  }
  await host.sleep(10_000)
}

const remark =
  ' (the cluster has no CRD of this kind: install the Prometheus Operator and deploy again, or use --no-monitoring)'

test('deploy skips objects of the Prometheus Operator in a cluster without it, and says so', async () => {
  await using world = await deployWorld({ workloads: 'off', settings: { monitoring: true } })
  const deployed = await world.call(deployCommand, ...image, '--no-wait')
  expect(deployed.exitCode).toBe(0)
  expect(deployed.lines.slice(-3)).toEqual([
    `skip     ServiceMonitor shop-system/shop${remark}`,
    `skip     PrometheusRule shop-system/shop${remark}`,
    'create   ConfigMap shop-system/shop-dashboard',
  ])
  const again = await world.call(deployCommand, ...image, '--no-wait', '--no-monitoring')
  expect(again.lines).toEqual([
    'delete   ConfigMap shop-system/shop-dashboard',
    '11 objects are unchanged',
  ])
})

test('deploy creates the optional objects, and undeploy removes them', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  await installPrometheusOperator(world)
  const flags = ['--monitoring', '--disruption-budget', '--network-policy', '--replicas', '2']
  const deployed = await world.call(deployCommand, ...image, '--no-wait', ...flags)
  expect(deployed.lines.slice(-5)).toEqual([
    'create   NetworkPolicy shop-system/shop',
    'create   PodDisruptionBudget shop-system/shop',
    'create   ServiceMonitor shop-system/shop',
    'create   PrometheusRule shop-system/shop',
    'create   ConfigMap shop-system/shop-dashboard',
  ])
  const again = await world.call(deployCommand, ...image, '--no-wait', ...flags)
  expect(again.lines).toEqual(['16 objects are unchanged'])
  expect((await world.call(undeployCommand)).lines.at(-1)).toBe('undeployed')
  expect(await world.client.listAll(ServiceMonitor)).toEqual([])
  expect(await world.client.listAll(PodDisruptionBudget)).toEqual([])
  const left = await world.client.listAll(ConfigMap, { namespace: 'shop-system' })
  expect(left.filter(({ metadata }) => metadata.name === 'shop-dashboard')).toEqual([])
})

test('undeploy removes the APIServices of a deployment, and no others', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  await world.call(deployCommand, ...image, '--no-wait')
  const own = {
    'app.kubernetes.io/name': 'shop',
    'app.kubernetes.io/managed-by': 'setpoint',
    'app.kubernetes.io/instance': 'shop-system',
  }
  for (const [group, labels] of [
    ['own.example.com', own],
    ['other.example.com', {}],
  ] as const) {
    const service = { name: 'shop-webhooks', namespace: 'shop-system' }
    await world.client.create(APIService, {
      metadata: { name: `v1.${group}`, labels },
      spec: { group, version: 'v1', service, groupPriorityMinimum: 1000, versionPriority: 100 },
    })
  }
  expect((await world.call(undeployCommand)).lines.at(-1)).toBe('undeployed')
  expect(await world.client.find(APIService, 'v1.own.example.com')).toBeUndefined()
  expect(await world.client.find(APIService, 'v1.other.example.com')).toBeDefined()
})
