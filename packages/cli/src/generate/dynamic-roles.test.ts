/** Runs an operator that follows kinds which are chosen at run time, with its generated roles. */
import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineResource, operator, start, when } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import {
  ClusterRole,
  conditionOf,
  ConfigMap,
  CustomResourceDefinition,
  Namespace,
} from 'setpoint/kinds'
import { connectionOf } from '../deploy/testdata/deploy-world.ts'
import type { ManifestSettings } from './manifest-settings.ts'
import { operatorRoles, serviceAccount } from './rbac-objects.ts'

const Watcher = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Watcher',
  spec: z.object({}),
  conditions: ['Ready'],
})

const roles = { 'example.com/watched': 'true' }

const watchers = operator(Watcher)
  .dynamicKinds({ roles })
  .reconcile(async (_, ctx) => {
    const kind = await ctx.kindOf('v1', 'ConfigMap')
    const found = kind === undefined ? [] : await ctx.follow(kind, { name: 'settings' })
    await ctx.updateStatus({ conditions: { Ready: when(found.length === 1, 'Found', 'one') } })
  })

test.each([
  ['everywhere', undefined],
  ['in the namespaces of the project', ['home']],
])('gets the rights of labelled ClusterRoles %s', async (_, watch) => {
  using host = virtualHost({ seed: 3 })
  await using cluster = await createCluster({ host, nodes: 'off' })
  const { client } = cluster
  const namespace = 'op-system'
  for (const name of ['home', namespace]) await client.create(Namespace, { metadata: { name } })
  await client.create(CustomResourceDefinition, Watcher.crd())
  const settings: ManifestSettings = {
    name: 'op',
    sharedName: 'op',
    namespace,
    image: 'example.com/op:1',
    replicas: 1,
    watch,
    lease: undefined,
    workload: {},
    monitoring: undefined,
    networkPolicy: undefined,
    disruptionBudget: false,
  }
  for (const { kind, manifest } of [
    serviceAccount(settings),
    ...operatorRoles([watchers], settings),
  ]) {
    await client.create(kind, manifest as never)
  }
  const admin = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const connection = await connectionOf({ client, connection: admin }, { name: 'op', namespace })
  await using _running = await start([watchers], { host, connection, namespaces: watch })
  const place = { name: 'w', namespace: 'home' }
  await client.create(ConfigMap, { metadata: { name: 'settings', namespace: 'home' } })
  await client.create(Watcher, { metadata: place, spec: {} })
  await host.sleep(10_000)
  const ready = async () => conditionOf(await client.get(Watcher, place), 'Ready')
  expect((await ready())?.message).toContain('forbidden')
  await client.create(ClusterRole, {
    metadata: { name: 'watched-config-maps', labels: roles },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
  })
  await host.sleep(600_000)
  expect(await ready()).toMatchObject({ status: 'True', message: 'one' })
})
