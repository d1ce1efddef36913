import * as z from 'zod'
import { expect, test } from 'vitest'
import { LiveNamespaces, type Namespaces } from '../cache/index.ts'
import { defineResource } from '../definition/index.ts'
import { readText } from '../host/index.ts'
import { ClusterRole, ConfigMap, Namespace, Node, Secret } from '../kinds/index.ts'
import { type AnyOperator, operator, type PolicyRule, rbacFor } from '../operator/index.ts'
import type { StartOptions } from './index.ts'
import { createIdleWorld } from './testdata/world.ts'

const Lamp = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Lamp',
  spec: z.object({ watts: z.int32().default(5) }),
})

async function createWorld() {
  const world = await createIdleWorld([Lamp], { seed: 5 })
  return {
    ...world,
    /** Starts operators with exactly these RBAC rules. */
    start: async (
      operators: readonly AnyOperator[],
      rules: readonly PolicyRule[],
      options: StartOptions = {},
    ) => world.start(operators, { connection: await world.connectAs(rules), ...options }),
  }
}

const ruleTexts = (rules: readonly PolicyRule[]): string[] =>
  rules.map(
    ({ resources, verbs, resourceNames = [] }) =>
      `${[resources.join(), ...resourceNames].join(' ')}: ${verbs.join()}`,
  )

test('removes a finalizer that is no longer needed, with the new role', async () => {
  await using world = await createWorld()
  const before = operator(Lamp).onDelete(async () => undefined)
  const first = await world.start([before], rbacFor([before]))
  await world.client.create(Lamp, { metadata: { name: 'l' }, spec: {} })
  await world.host.settle()
  expect((await world.client.get(Lamp, 'l')).metadata.finalizers).toHaveLength(1)
  await first.stop()
  const after = operator(Lamp).child('config', ConfigMap, () => ({ data: { a: '1' } }))
  await using _ = await world.start([after], rbacFor([after]))
  await world.host.settle()
  expect((await world.client.get(Lamp, 'l')).metadata.finalizers).toBeUndefined()
  await world.client.beginDelete(Lamp, 'l')
  await world.host.sleep(10_000)
  expect(await world.client.find(Lamp, 'l')).toBeUndefined()
})

test('removes the finalizer after the last child in another namespace is no longer declared', async () => {
  await using world = await createWorld()
  const before = operator(Lamp).child('secret', Secret, { crossNamespace: true }, () => ({
    metadata: { namespace: 'kube-public' },
  }))
  const first = await world.start([before], rbacFor([before]))
  await world.client.create(Lamp, { metadata: { name: 'l' }, spec: {} })
  await world.host.settle()
  expect((await world.client.get(Lamp, 'l')).metadata.finalizers).toHaveLength(1)
  await first.stop()
  const after = operator(Lamp).reconcile(async () => undefined)
  await using _ = await world.start([after], rbacFor([after]))
  await world.client.beginDelete(Lamp, 'l')
  await world.host.sleep(10_000)
  expect(await world.client.find(Lamp, 'l')).toBeUndefined()
})

test('removes the finalizer from existing objects of a built-in kind when no filter matches them', async () => {
  await using world = await createWorld()
  const named = () => operator(Secret, { name: 'secrets' })
  const before = named().onDelete(async () => undefined)
  const first = await world.start([before], rbacFor([before]))
  await world.client.create(Secret, { metadata: { name: 's' } })
  await world.host.settle()
  expect((await world.client.get(Secret, 's')).metadata.finalizers).toHaveLength(1)
  await first.stop()
  // Without a declaration that needs it, the role does not allow to patch Secrets.
  const without = named().reconcile(async () => undefined)
  const second = await world.start([without], rbacFor([without]))
  await world.host.settle()
  await second.stop()
  expect(world.cluster.trace.filter(({ code }) => code === 403)).toEqual([])
  const after = named().onDelete(async () => undefined, { filter: () => false })
  await using _ = await world.start([after], rbacFor([after]))
  await world.host.settle()
  expect((await world.client.get(Secret, 's')).metadata.finalizers).toBeUndefined()
})

test('is not ready while it is not allowed to use its Lease, and reports the reason', async () => {
  await using world = await createWorld()
  const lamps = operator(Lamp).reconcile(async () => undefined)
  const options = { election: { name: 'lamps' }, probes: {} }
  await using running = await world.start([lamps], rbacFor([lamps]), options)
  await world.host.sleep(10_000)
  const asked = async (path: string): Promise<[number, string]> => {
    const url = `${running.probesUrl ?? ''}${path}`
    const { status, body } = await world.host.request({ method: 'GET', url })
    return [status, await readText(body, 100_000)]
  }
  const [status, text] = await asked('/readyz')
  expect(status).toBe(500)
  expect(text).toContain('[-]election: cannot use the Lease default/lamps (API_FORBIDDEN)')
  const metric = 'leader_election_master_status{name="lamps"}'
  expect((await asked('/metrics'))[1]).toContain(`${metric} 0\n`)
  const rules = rbacFor([lamps], { leaseName: 'lamps' })
  await world.client.patch(ClusterRole, 'operator', { merge: { rules } })
  await world.host.sleep(10_000)
  expect(running.isLeader).toBe(true)
  expect((await asked('/readyz'))[0]).toBe(200)
  expect((await asked('/metrics'))[1]).toContain(`${metric} 1\n`)
})

test('does not grant patch on built-in kinds without a reason in the declaration', () => {
  const looking = operator(Node, { name: 'nodes' }).reconcile(async () => undefined)
  expect(ruleTexts(rbacFor([looking]))).toContain('nodes: get,list,watch')
  const cleaning = operator(Node, { name: 'nodes' }).onDelete(async () => undefined)
  expect(ruleTexts(rbacFor([cleaning]))).toContain('nodes: get,list,patch,watch')
})

test('does not grant the status of built-in kinds when nothing writes it', () => {
  const ofStatus = (one: AnyOperator): string[] =>
    ruleTexts(rbacFor([one])).filter((line) => line.includes('/status'))
  expect(
    ofStatus(operator(Node, { name: 'nodes' }).child('config', ConfigMap, () => null)),
  ).toEqual([])
  const stating = operator(Node, { name: 'nodes' }).reconcile(async (_, { updateStatus }) =>
    updateStatus({}),
  )
  expect(ofStatus(stating)).toEqual(['nodes/status: patch,update'])
})

test('restricts the rule for Leases to the Lease of the election, if its name is known', () => {
  const lamps = operator(Lamp).reconcile(async () => undefined)
  const onLeases = (options: object): string[] =>
    ruleTexts(rbacFor([lamps], options)).filter((line) => line.startsWith('leases'))
  expect(onLeases({})).toEqual([])
  expect(onLeases({ hasElection: true })).toEqual(['leases: create,get,update'])
  const leaseName = 'lamps'
  const narrow = ['leases: create', 'leases lamps: get,update']
  expect(onLeases({ leaseName })).toEqual(narrow)
  expect(onLeases({ hasElection: true, leaseName })).toEqual(narrow)
})

test('reads and installs definitions by name, and compares them without a refusal', async () => {
  await using world = await createWorld()
  const lamps = operator(Lamp).reconcile(async () => undefined)
  const crd = 'customresourcedefinitions'
  const onDefinitions = (options: object): string[] =>
    ruleTexts(rbacFor([lamps, lamps], options)).filter((line) => line.startsWith(crd))
  expect(onDefinitions({})).toEqual([])
  expect(onDefinitions({ comparesCrds: true })).toEqual([`${crd} lamps.example.com: get`])
  expect(onDefinitions({ installsCrds: true })).toEqual([
    `${crd}: create`,
    `${crd} lamps.example.com: get,patch`,
  ])
  await using _ = await world.start([lamps], rbacFor([lamps], { comparesCrds: true }))
  await world.host.settle()
  const looks = world.cluster.trace.filter(({ user }) => user === 'operator')
  expect(looks.filter(({ path }) => path.includes(crd)).map(({ code }) => code)).toEqual([200])
  expect(looks.filter(({ code }) => code === 403)).toEqual([])
})

test('grants delete only for kinds whose children are deleted, and update only where they change', () => {
  const onConfigMaps = (one: AnyOperator): string[] =>
    ruleTexts(rbacFor([one])).filter((line) => line.startsWith('configmaps'))
  const retained = operator(Lamp).child('kept', ConfigMap, { deletion: 'retain' }, () => ({}))
  expect(onConfigMaps(retained)).toEqual(['configmaps: create,get,list,patch,update,watch'])
  const once = { deletion: 'retain', createOnly: true } as const
  expect(onConfigMaps(operator(Lamp).child('kept', ConfigMap, once, () => ({})))).toEqual([
    'configmaps: create,get,list,patch,watch',
  ])
  const all = ['configmaps: create,delete,get,list,patch,update,watch']
  expect(onConfigMaps(retained.child('other', ConfigMap, () => ({})))).toEqual(all)
  const replaced = { deletion: 'retain', onImmutable: 'replace' } as const
  expect(onConfigMaps(operator(Lamp).child('kept', ConfigMap, replaced, () => ({})))).toEqual(all)
  // The function may call `ctx.delete`.
  expect(onConfigMaps(retained.reconcile(async () => undefined))).toEqual(all)
})

test('without the right to delete a kind it leaves children that an earlier version declared', async () => {
  await using world = await createWorld()
  const after = operator(Lamp).child('kept', ConfigMap, { deletion: 'retain' }, () => ({
    metadata: { name: 'kept' },
  }))
  const before = after.child('old', ConfigMap, () => ({ metadata: { name: 'old' } }))
  const first = await world.start([before], rbacFor([before]))
  await world.client.create(Lamp, { metadata: { name: 'l' }, spec: {} })
  await world.host.settle()
  await first.stop()
  await using _ = await world.start([after], rbacFor([after], { comparesCrds: true }))
  await world.client.patch(Lamp, 'l', { merge: { spec: { watts: 6 } } })
  await world.host.settle()
  expect(await world.client.find(ConfigMap, 'old')).toBeDefined()
  const refused = world.cluster.trace.filter(({ code }) => code === 403)
  expect(refused.filter(({ path }) => path.includes('configmaps'))).toEqual([])
})

test.each<[string, () => Namespaces]>([
  ['a label selector that matches none', () => ({ labelSelector: 'served=yes' })],
  ['an empty LiveNamespaces', () => new LiveNamespaces([])],
])('/readyz and the log say that an operator serves nothing: %s', async (_, served) => {
  await using world = await createWorld()
  const lamps = operator(Lamp, { namespaces: served() }).reconcile(async () => undefined)
  const rules = rbacFor([lamps], { comparesCrds: true })
  await using running = await world.start([lamps], rules, { probes: {} })
  await world.host.sleep(5_000)
  const ready = async (): Promise<string> => {
    const url = `${running.probesUrl ?? ''}/readyz`
    return readText((await world.host.request({ method: 'GET', url })).body, 100_000)
  }
  const why = 'serves no object, because its option namespaces matches no namespace'
  expect(await ready()).toBe(`ok\noperator lamps.example.com: ${why}`)
  expect(world.host.logged.filter((line) => line.includes('serves no object'))).toHaveLength(1)
  const { namespaces: live } = lamps.declaration.options
  if (live instanceof LiveNamespaces) live.set(['default'])
  await world.client.patch(Namespace, 'default', {
    merge: { metadata: { labels: { served: 'yes' } } },
  })
  await world.host.sleep(5_000)
  expect(await ready()).toBe('ok')
})
