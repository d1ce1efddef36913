import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import {
  ClusterRole,
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  Event,
  Namespace,
  ResourceQuota,
  Secret,
} from '../kinds/index.ts'
import { operator, when } from '../operator/index.ts'
import { start } from './index.ts'
import { createWorld, type World } from './testdata/world.ts'

const Tenant = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Tenant',
  spec: z.object({
    text: z.string().default('a'),
    more: z.string().optional(),
    zones: z.array(z.string()).default([]),
    isOpen: z.boolean().default(true),
  }),
  conditions: ['Ready'],
})

const acme = { metadata: { name: 'acme' }, spec: {} }

async function names(world: World): Promise<string[]> {
  const found = []
  for await (const { metadata } of world.client.list(ConfigMap, { namespace: 'default' }))
    found.push(metadata.name)
  return found.filter((name) => name !== 'kube-root-ca.crt').sort()
}

test('updates changed values with one small write, and removes a field that is no longer desired', async () => {
  const plain = operator(Tenant).child('config', ConfigMap, ({ spec }) => ({
    data: { text: spec.text, ...(spec.more === undefined ? {} : { more: spec.more }) },
  }))
  await using world = await createWorld(plain)
  await world.client.create(Tenant, { ...acme, spec: { more: 'x' } })
  await world.host.settle()
  await world.client.patch(ConfigMap, 'acme', { merge: { data: { foreign: 'kept' } } })
  await world.host.settle()
  await world.client.patch(Tenant, 'acme', { merge: { spec: { text: 'b' } } })
  world.writes()
  await world.host.settle()
  expect(world.writes()).toEqual(['update configmaps/acme', 'update tenants/acme/status'])
  const data = async () => (await world.client.get(ConfigMap, 'acme')).data
  expect(await data()).toEqual({ text: 'b', more: 'x', foreign: 'kept' })
  await world.client.patch(Tenant, 'acme', { merge: { spec: { more: null } } })
  await world.host.settle()
  expect(await data()).toEqual({ text: 'b', foreign: 'kept' })
  await world.client.patch(Tenant, 'acme', { merge: { spec: { more: 'again' } } })
  await world.host.settle()
  expect(await data()).toEqual({ text: 'b', more: 'again', foreign: 'kept' })
  await world.client.patch(Tenant, 'acme', { merge: { spec: { more: null } } })
  await world.host.settle()
  expect(await data()).toEqual({ text: 'b', foreign: 'kept' })
  world.writes()
  await world.restart()
  await world.host.settle()
  expect(world.writes()).toEqual([])
})

test('keeps the owner reference of another controller on a child of a custom kind', async () => {
  const Account = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Account',
    spec: z.object({ plan: z.string() }),
  })
  const billing = operator(Tenant).child('account', Account, () => ({ spec: { plan: 'free' } }))
  await using world = await createWorld(billing)
  await world.client.apply(CustomResourceDefinition, Account.crd(), { fieldManager: 'test' })
  await world.host.settle()
  await world.client.create(Tenant, acme)
  await world.host.settle()
  const { metadata } = await world.client.get(Account, 'acme')
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other' }
  const ownerReferences = [...(metadata.ownerReferences ?? []), other]
  await world.client.patch(Account, 'acme', { merge: { metadata: { ownerReferences } } })
  world.writes()
  await world.host.sleep(60_000)
  expect(world.writes()).toEqual([])
})

test('keeps a concurrent change of another client to a child while it updates the child', async () => {
  const worlds: World[] = []
  let isFirst = true
  const racing = operator(Tenant).child('config', ConfigMap, ({ spec }) => {
    if (spec.text === 'b' && isFirst) {
      isFirst = false
      void worlds[0]?.client.patch(ConfigMap, 'acme', { merge: { data: { foreign: 'kept' } } })
    }
    return { data: { text: spec.text } }
  })
  await using world = await createWorld(racing)
  worlds.push(world)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  await world.client.patch(Tenant, 'acme', { merge: { spec: { text: 'b' } } })
  world.writes()
  await world.host.settle()
  // The update is refused with a conflict, the patch succeeds.
  expect(world.writes().slice(0, 2)).toEqual(['update configmaps/acme', 'patch configmaps/acme'])
  expect((await world.client.get(ConfigMap, 'acme')).data).toEqual({ text: 'b', foreign: 'kept' })
})

test('creates one child per key of a set, and prunes those that are no longer desired', async () => {
  const zoned = operator(Tenant).children('zone', ConfigMap, ({ spec }) =>
    Object.fromEntries(spec.zones.map((zone) => [zone, { data: { zone } }])),
  )
  await using world = await createWorld(zoned)
  await world.client.create(Tenant, { ...acme, spec: { zones: ['x', 'y', 'z'] } })
  await world.host.settle()
  expect(await names(world)).toEqual(['acme-x', 'acme-y', 'acme-z'])
  await world.client.patch(Tenant, 'acme', { merge: { spec: { zones: ['x', 'w'] } } })
  await world.host.settle()
  expect(await names(world)).toEqual(['acme-w', 'acme-x'])
})

test('rolls out one member after the other as each becomes ready, and stops at one that does not', async () => {
  const rolling = operator(Tenant).children(
    'zone',
    Deployment,
    { rollout: { maxUnavailable: 1 } },
    ({ spec }) =>
      Object.fromEntries(
        spec.zones.map((zone) => [
          zone,
          {
            spec: {
              selector: { matchLabels: { zone } },
              template: {
                metadata: { labels: { zone } },
                spec: { containers: [{ name: 'web', image: spec.text }] },
              },
            },
          },
        ]),
      ),
  )
  await using world = await createWorld(rolling)
  const images = async () => {
    const found: string[] = []
    for await (const { spec } of world.client.list(Deployment)) {
      found.push(spec.template.spec?.containers[0]?.image ?? '')
    }
    return found.join('')
  }
  /** Writes the status of a Deployment with ready pods, as the deployment controller does. */
  const becomeReady = async (zone: string): Promise<void> => {
    const { generation } = (await world.client.get(Deployment, `acme-${zone}`)).metadata
    const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 }
    const status = { ...counts, observedGeneration: generation }
    await world.client.patch(Deployment, `acme-${zone}`, {
      merge: { status },
      subresource: 'status',
    })
    await world.host.sleep(5000)
  }
  await world.client.create(Tenant, { ...acme, spec: { zones: ['x', 'y', 'z'] } })
  await world.host.settle()
  expect(await images()).toBe('aaa')
  for (const zone of ['x', 'y', 'z']) await becomeReady(zone)
  await world.client.patch(Tenant, 'acme', { merge: { spec: { text: 'b' } } })
  await world.host.sleep(60_000)
  expect(await images()).toBe('baa')
  const { conditions } = (await world.client.get(Tenant, 'acme')).status ?? {}
  expect(conditions?.[0]?.message).toBe('waiting for zone: 0 of 3 ready')
  await becomeReady('x')
  expect(await images()).toBe('bba')
  await becomeReady('y')
  expect(await images()).toBe('bbb')
  // Drift is corrected immediately, also during a rollout.
  await world.client.patch(Deployment, 'acme-x', { merge: { spec: { replicas: 1, paused: true } } })
  await world.client.patch(Deployment, 'acme-y', {
    json: [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'mine' }],
  })
  await world.host.settle()
  expect(await images()).toBe('bbb')
})

test('waits for the children in `after`, even when both change', async () => {
  const ordered = operator(Tenant)
    .child(
      'first',
      ConfigMap,
      {
        includeWhen: ({ spec }) => spec.isOpen,
        readyWhen: ({ metadata, data }) => metadata.labels?.['ready'] === data?.['text'],
      },
      ({ spec }) => ({ data: { text: spec.text } }),
    )
    .child('second', ConfigMap, { after: ['first'] }, ({ spec }) => ({ data: { text: spec.text } }))
  await using world = await createWorld(ordered)
  const beReady = async (ready: string): Promise<void> => {
    await world.client.patch(ConfigMap, 'acme', { merge: { metadata: { labels: { ready } } } })
    await world.host.settle()
  }
  const second = async () => (await world.client.find(ConfigMap, 'acme-second'))?.data?.['text']
  await world.client.create(Tenant, acme)
  await world.host.settle()
  expect(await second()).toBeUndefined()
  await beReady('a')
  expect(await second()).toBe('a')
  await world.client.patch(Tenant, 'acme', { merge: { spec: { text: 'b' } } })
  await world.host.settle()
  expect(await second()).toBe('a')
  await world.client.patch(ConfigMap, 'acme-second', { merge: { data: { text: 'mine' } } })
  await world.host.settle()
  await beReady('b')
  expect(await second()).toBe('b')
  // The operator does not wait for a child that is not desired.
  await world.client.patch(Tenant, 'acme', { merge: { spec: { text: 'c', isOpen: false } } })
  await world.host.settle()
  expect(await names(world)).toEqual(['acme-second'])
  expect(await second()).toBe('c')
})

test('finds children in other places by their owner labels, and deletes them before their owner', async () => {
  const spread = operator(Tenant)
    .child('space', Namespace, ({ metadata }) => ({ metadata: { name: `${metadata.name}-space` } }))
    .child('role', ClusterRole, () => ({ rules: [] }))
    .child('secret', Secret, { crossNamespace: true }, ({ spec }) => ({
      metadata: { namespace: 'kube-public' },
      stringData: { text: spec.text },
    }))
    .child('config', ConfigMap, () => ({ data: {} }))
  await using world = await createWorld(spread)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  const owner = await world.client.get(Tenant, 'acme')
  expect(owner.metadata.finalizers).toEqual(['example.com/setpoint-tenants'])
  const role = await world.client.get(ClusterRole, 'default-acme')
  expect(role.metadata.labels).toEqual({ 'setpoint.dev/owner-uid': owner.metadata.uid })
  expect(role.metadata.ownerReferences).toBeUndefined()
  const secret = { namespace: 'kube-public', name: 'default-acme' }
  expect(await world.client.find(Secret, secret)).toBeDefined()
  // A child deleted by hand is recreated; a copy belongs to no owner.
  await world.client.delete(ClusterRole, 'default-acme')
  const { labels, annotations } = role.metadata
  const copied = { metadata: { name: 'copy', labels, annotations }, rules: [] }
  await world.client.create(ClusterRole, copied as never)
  await world.host.settle()
  expect(await world.client.find(ClusterRole, 'default-acme')).toBeDefined()
  await world.client.delete(Tenant, 'acme')
  await world.host.settle()
  expect(await world.client.find(ClusterRole, 'default-acme')).toBeUndefined()
  expect(await world.client.find(Secret, secret)).toBeUndefined()
  expect(await world.client.find(ClusterRole, 'copy')).toBeDefined()
  expect(await world.client.find(Tenant, 'acme')).toBeUndefined()
})

test('requires a declaration for a child in another namespace, because its owner needs a finalizer', async () => {
  const hasty = operator(Tenant).child('config', ConfigMap, () => ({
    metadata: { namespace: 'kube-public' },
  }))
  await using world = await createWorld(hasty)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  expect(world.reports[0]?.error).toMatchObject({
    code: 'OPERATOR_INVALID',
    message: expect.stringContaining(
      'Tenant default/acme cannot own a ConfigMap that is in the namespace kube-public',
    ) as string,
  })
})

test('keeps a child, or deletes it before its owner, as its deletion policy says', async () => {
  const careful = operator(Tenant)
    .child('data', ConfigMap, { deletion: 'retain' }, ({ spec }) =>
      spec.isOpen ? { data: { text: spec.text } } : null,
    )
    .child('worker', Secret, { deletion: 'foreground' }, () => ({ type: 'Opaque' }))
  await using world = await createWorld(careful)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  const kept = await world.client.get(ConfigMap, 'acme')
  expect(kept.metadata.ownerReferences).toBeUndefined()
  await world.client.patch(Tenant, 'acme', { merge: { spec: { isOpen: false } } })
  await world.host.settle()
  expect(await world.client.find(ConfigMap, 'acme')).toBeDefined()
  const hold = { merge: { metadata: { finalizers: ['example.com/hold'] } } }
  await world.client.patch(Secret, 'acme', hold)
  await world.client.delete(Tenant, 'acme')
  await world.host.sleep(60_000)
  // Its owner waits for it.
  expect((await world.client.get(Secret, 'acme')).metadata.deletionTimestamp).toBeDefined()
  expect(await world.client.find(Tenant, 'acme')).toBeDefined()
  await world.client.patch(Secret, 'acme', { merge: { metadata: { finalizers: null } } })
  await world.host.settle()
  expect(await world.client.find(Tenant, 'acme')).toBeUndefined()
  expect(await world.client.find(ConfigMap, 'acme')).toBeDefined()
  // A new owner of the same name adopts the retained child.
  await world.client.create(Tenant, { ...acme, spec: { text: 'new' } })
  await world.host.settle()
  expect((await world.client.get(ConfigMap, 'acme')).data).toEqual({ text: 'new' })
  expect((await world.client.get(ConfigMap, 'acme')).metadata.uid).toBe(kept.metadata.uid)
})

test('does not reconcile on a change that the operator does not depend on', async () => {
  const looking = operator(Tenant)
    .watch(ConfigMap, () => ['default/acme'], {
      filter: ({ object, old }) => object.data?.['x'] !== old?.data?.['x'],
      labelSelector: { seen: 'yes' },
    })
    .reconcile(async () => undefined)
  await using world = await createWorld(looking)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  const runs = async (): Promise<number> => {
    await world.host.settle()
    return world.reports.splice(0).length
  }
  await runs()
  await world.client.create(ConfigMap, { metadata: { name: 'other' }, data: { x: '1' } })
  expect(await runs()).toBe(0)
  const labels = { seen: 'yes' }
  await world.client.create(ConfigMap, { metadata: { name: 'one', labels }, data: { x: '1' } })
  expect(await runs()).toBe(1)
  await world.client.patch(ConfigMap, 'one', { merge: { data: { y: '1' } } })
  expect(await runs()).toBe(0)
  await world.client.patch(ConfigMap, 'one', { merge: { data: { x: '2' } } })
  expect(await runs()).toBe(1)
})

test('leaves children of other operators of the kind alone, and cleans up only its own', async () => {
  const cleaned: string[] = []
  const named = (name: string) =>
    operator(Tenant, { name })
      .child('config', ConfigMap, ({ metadata }) => ({
        metadata: { name: `${metadata.name}-${name}` },
        data: {},
      }))
      .reconcile(async (owner, { apply }) => {
        await apply(ConfigMap, { metadata: { name: `${owner.metadata.name}-${name}-more` } })
      })
      .status(() => ({ conditions: name === 'one' ? { Ready: when(true, 'Said', name) } : {} }))
      .onDelete(async () => void cleaned.push(name))
  await using world = await createWorld(named('one'), named('two'))
  await world.client.create(Tenant, acme)
  await world.host.sleep(60_000)
  expect(await names(world)).toEqual(['acme-one', 'acme-one-more', 'acme-two', 'acme-two-more'])
  world.writes()
  await world.host.sleep(60_000)
  expect(world.writes()).toEqual([])
  await world.client.delete(Tenant, 'acme')
  await world.host.settle()
  expect(cleaned.sort()).toEqual(['one', 'two'])
  await expect(start([named('one'), named('one')], { host: world.host })).rejects.toMatchObject({
    code: 'OPERATOR_INVALID',
  })
})

test('keeps status fields of other writers without writes', async () => {
  const Noted = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Noted',
    spec: z.object({ isShy: z.boolean().default(false) }),
    status: z.object({ mine: z.string().optional(), theirs: z.string().optional() }),
    conditions: ['Ready', 'Theirs'],
  })
  const noting = operator(Noted).status(({ spec }) => ({
    ...(spec.isShy ? {} : { mine: 'a' }),
    conditions: { Ready: when(true, 'Said', 'so') },
  }))
  await using world = await createWorld(noting)
  await world.client.create(Noted, { metadata: { name: 'n' }, spec: {} })
  await world.host.settle()
  const say = (theirs: string) =>
    world.client.patch(Noted, 'n', { merge: { status: { theirs } }, subresource: 'status' })
  await say('x')
  const now = '2030-01-01T00:00:00Z'
  const condition = {
    type: 'Theirs',
    status: 'True',
    reason: 'X',
    message: '',
    lastTransitionTime: now,
  }
  await world.client.patch(Noted, 'n', {
    json: [{ op: 'add', path: '/status/conditions/-', value: condition }],
    subresource: 'status',
  })
  await world.host.settle()
  world.writes()
  await say('y')
  await world.host.settle()
  expect(world.writes()).toEqual([])
  const status = async () => (await world.client.get(Noted, 'n')).status
  const types = async () => (await status())?.conditions?.map(({ type }) => type).sort()
  expect(await status()).toMatchObject({ mine: 'a', theirs: 'y' })
  expect(await types()).toEqual(['Ready', 'Theirs'])
  // Conditions that are no longer stated are removed, even after a restart.
  await world.restart()
  await world.client.patch(Noted, 'n', { merge: { spec: { isShy: true } } })
  await world.host.settle()
  expect((await status())?.mine).toBeUndefined()
  expect(await status()).toMatchObject({ theirs: 'y' })
  expect(await types()).toEqual(['Ready', 'Theirs'])
  world.writes()
  await world.restart()
  await world.host.settle()
  expect(world.writes()).toEqual([])
})

test('creates children of a Namespace in it, and requires a namespace from other cluster-scoped owners', async () => {
  const quotas = operator(Namespace, { name: 'namespaces', labelSelector: 'team' }).child(
    'quota',
    ResourceQuota,
    () => ({
      metadata: { name: 'team' },
      spec: { hard: { pods: '20' } },
    }),
  )
  const lost = operator(ClusterRole, {
    name: 'clusterroles.rbac.authorization.k8s.io',
    labelSelector: 'team',
  }).child('config', ConfigMap, () => ({}))
  await using world = await createWorld(quotas, lost)
  const labels = { team: 'a' }
  await world.client.create(Namespace, { metadata: { name: 'shop', labels } })
  await world.client.create(ClusterRole, { metadata: { name: 'lost', labels }, rules: [] })
  await world.host.settle()
  const quota = await world.client.get(ResourceQuota, { namespace: 'shop', name: 'team' })
  expect(quota.metadata.ownerReferences).toMatchObject([{ kind: 'Namespace', name: 'shop' }])
  expect(world.reports.find(({ error }) => error !== undefined)?.error).toMatchObject({
    code: 'OPERATOR_INVALID',
    hint: 'give the child a metadata.namespace',
  })
  world.writes()
  await world.restart()
  await world.host.settle()
  expect(world.writes().filter((write) => !write.includes('events'))).toEqual([])
})

test('removes a field that is no longer desired, although the applied annotation was deleted', async () => {
  const maps = operator(Tenant).child('map', ConfigMap, ({ spec }) => ({
    data: { [spec.text]: 'x' },
  }))
  await using world = await createWorld(maps)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  await world.running.stop()
  const annotations = { 'setpoint.dev/applied': null }
  await world.client.patch(ConfigMap, 'acme', { merge: { metadata: { annotations } } })
  await world.client.patch(Tenant, 'acme', { merge: { spec: { text: 'b' } } })
  await world.restart()
  await world.host.settle()
  expect((await world.client.get(ConfigMap, 'acme')).data).toEqual({ b: 'x' })
})

test('generates random values once and keeps them, even in another process', async () => {
  const sealed = operator(Tenant)
    .child('key', Secret, { createOnly: true }, ({ spec }, { randomBytes }) => ({
      data: { key: Buffer.from(randomBytes(24)).toString('base64') },
      stringData: { text: spec.text },
    }))
    .child('config', ConfigMap, { after: ['key'] }, () => ({ data: {} }))
  await using world = await createWorld(sealed)
  await world.client.create(Tenant, acme)
  await world.host.settle()
  const key = async () => (await world.client.get(Secret, 'acme')).data?.['key']
  const first = await key()
  expect(first).toHaveLength(32)
  expect(await names(world)).toEqual(['acme'])
  await world.client.patch(Secret, 'acme', { merge: { data: { more: 'eA==' } } })
  await world.client.patch(Tenant, 'acme', { merge: { spec: { text: 'b' } } })
  await world.host.settle()
  await world.restart()
  await world.host.settle()
  expect((await world.client.get(Secret, 'acme')).data).toEqual({
    key: first,
    more: 'eA==',
    text: 'YQ==',
  })
  await world.client.delete(Secret, 'acme')
  await world.host.settle()
  expect(await key()).toHaveLength(32)
  expect(await key()).not.toBe(first)
})

test('refuses a child that is different on every reconcile', async () => {
  const restless = operator(Tenant).child('key', ConfigMap, (_, { randomBytes }) => ({
    data: { key: String(randomBytes(1)[0]) },
  }))
  await using world = await createWorld(restless)
  await world.client.create(Tenant, acme)
  await world.host.sleep(1_000)
  const { status } = await world.client.get(Tenant, 'acme')
  expect(status?.conditions).toMatchObject([
    {
      status: 'False',
      message: expect.stringContaining(
        'uses randomBytes(), so it would change on every reconcile',
      ) as string,
    },
  ])
})

test('reads other declared kinds in children, status and cleanups', async () => {
  const counted = operator(Tenant)
    .watch(Namespace, () => ['default/acme'])
    .child('config', ConfigMap, (_, { list }) => ({
      data: { count: `${list(Namespace, { labels: { team: 'a' } }).length}` },
    }))
    .status((_, { config }, { get }) => ({
      conditions: {
        Ready: when(get(Namespace, 'one') !== undefined, 'Found', config?.data?.['count'] ?? ''),
      },
    }))
    .onDelete(async ({ metadata }, ctx) => {
      const made = ctx.owned(ConfigMap).map(({ data }) => data?.['count'])
      await ctx.recordEvent({
        type: 'Normal',
        reason: 'Gone',
        message: `${metadata.name}: ${made.join()}`,
      })
    })
  await using world = await createWorld(counted)
  await world.client.create(Tenant, acme)
  await world.client.create(Namespace, { metadata: { name: 'one', labels: { team: 'a' } } })
  await world.host.settle()
  const { status } = await world.client.get(Tenant, 'acme')
  expect(status?.conditions).toMatchObject([{ status: 'True', reason: 'Found', message: '1' }])
  await world.client.delete(Tenant, 'acme')
  await world.host.settle()
  const events = await world.client.listAll(Event)
  expect(events.map(({ message }) => message)).toContain('acme: 1')
})
