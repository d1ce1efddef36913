import { expect, test } from 'vitest'
import { ControllerRevision, DaemonSet, Node, type Pod } from 'setpoint/kinds'
import { controllerWorld, type ControllerWorld } from '../testdata/controller-world.ts'
import { daemonSetController } from './index.ts'

type Spec = DaemonSet['spec']
const labels = { app: 'agent' }

async function addNode({ client }: ControllerWorld, name: string): Promise<void> {
  await client.create(Node, { metadata: { name } })
  // The server taints new nodes until the node controller removes the taint.
  await client.patch(Node, name, { merge: { spec: { taints: null } } })
}

/** A DaemonSet on two nodes. */
async function setWorld(
  spec: Partial<Spec> = {},
  before: (world: ControllerWorld) => Promise<void> = async () => undefined,
): Promise<ControllerWorld> {
  const world = await controllerWorld(daemonSetController())
  await before(world)
  await addNode(world, 'a')
  await addNode(world, 'b')
  await world.client.create(DaemonSet, {
    metadata: { name: 'agent' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: 'agent:1' }] },
      },
      ...spec,
    },
  })
  await world.host.sleep(1_000)
  return world
}

/** The node for which a pod was created. */
function nodeOf({ spec }: Pod): string {
  const { nodeAffinity } = spec.affinity ?? {}
  const [term] =
    nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  return term?.matchFields?.[0]?.values?.[0] ?? ''
}

/** The node and the image of every pod. */
async function places(world: ControllerWorld): Promise<string[]> {
  const shown = (await world.pods()).map(
    (pod) => `${nodeOf(pod)} ${pod.spec.containers[0]?.image ?? ''}`,
  )
  return shown.toSorted()
}

async function becomeReady(world: ControllerWorld): Promise<void> {
  const lastTransitionTime = new Date(world.host.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime } as const]
  for (const pod of await world.pods()) {
    if (pod.status?.phase === 'Pending') await world.move(pod, { phase: 'Running', conditions })
  }
  await world.host.sleep(500)
}

const toImage = async ({ client, host }: ControllerWorld, image: string): Promise<void> => {
  const containers = [{ name: 'main', image }]
  const strategic = { spec: { template: { spec: { containers } } } }
  await client.patch(DaemonSet, 'agent', { strategic })
  await host.sleep(500)
}

const statusNow = async ({ client }: ControllerWorld): Promise<DaemonSet['status']> =>
  (await client.get(DaemonSet, 'agent')).status

test('creates a pod on every node, and writes nothing in the steady state', async () => {
  await using world = await setWorld()
  expect(await places(world)).toEqual(['a agent:1', 'b agent:1'])
  await becomeReady(world)
  expect(await statusNow(world)).toMatchObject({ numberReady: 2, numberAvailable: 2 })
  world.writes()
  await world.host.sleep(3_600_000)
  expect(world.writes()).toEqual([])
})

test("creates a pod on a new node, and ignores a change of a node's status", async () => {
  await using world = await setWorld()
  await addNode(world, 'c')
  await world.host.sleep(500)
  expect(await places(world)).toEqual(['a agent:1', 'b agent:1', 'c agent:1'])
  world.writes()
  const images = [{ names: ['agent:1'], sizeBytes: 1 }]
  await world.client.patch(Node, 'c', { merge: { status: { images } }, subresource: 'status' })
  await world.host.sleep(500)
  expect(world.writes()).toEqual(['patch /api/v1/nodes/c/status'])
})

test('replaces all unready pods together and deletes each once', async () => {
  await using world = await setWorld()
  await toImage(world, 'agent:2')
  expect(await places(world)).toEqual(['a agent:2', 'b agent:2'])
  const deleted = (await world.events('DaemonSet')).filter((one) =>
    one.startsWith('SuccessfulDelete'),
  )
  expect(deleted).toHaveLength(2)
  expect(deleted.join()).not.toContain('(x')
})

test('replaces ready pods one after the other', async () => {
  await using world = await setWorld()
  await becomeReady(world)
  await toImage(world, 'agent:2')
  expect((await places(world)).map((place) => place.slice(2)).toSorted()).toEqual([
    'agent:1',
    'agent:2',
  ])
  await becomeReady(world)
  expect(await places(world)).toEqual(['a agent:2', 'b agent:2'])
})

test('backs off exponentially when a pod fails repeatedly', async () => {
  await using world = await setWorld({ updateStrategy: { type: 'OnDelete' } })
  await world.client.delete(Node, 'b')
  const waits: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const pod = (await world.pods()).find((one) => nodeOf(one) === 'a')
    if (pod === undefined) break
    await world.move(pod, { phase: 'Failed' })
    const failedMs = world.host.now()
    const isThere = async (): Promise<boolean> =>
      (await world.pods()).some(({ metadata }) => metadata.uid === pod.metadata.uid)
    while (await isThere()) await world.host.sleep(50)
    waits.push(Math.round((world.host.now() - failedMs) / 1000))
    await world.host.sleep(50)
  }
  expect(waits).toEqual([0, 1, 2, 4])
  const failures = (await world.events('DaemonSet')).filter((one) =>
    one.startsWith('FailedDaemonPod'),
  )
  expect(failures[0]).toMatch(
    /^FailedDaemonPod: Found failed daemon pod default\/agent-\w{5} on node a, will try to kill it$/,
  )
})

test('reuses the revision of an old template with a new number', async () => {
  await using world = await setWorld()
  for (const image of ['agent:2', 'agent:1']) await toImage(world, image)
  const revisions = await world.client.listAll(ControllerRevision, { namespace: 'default' })
  expect(revisions.map(({ revision }) => revision).toSorted()).toEqual([2, 3])
})

test('tries the next name when a revision name is taken by another template', async () => {
  await using first = await setWorld()
  const [taken] = await first.client.listAll(ControllerRevision, { namespace: 'default' })
  const { name = '' } = taken?.metadata ?? {}
  await using world = await setWorld({}, async ({ client }) => {
    await client.create(ControllerRevision, { metadata: { name }, data: {}, revision: 1 })
  })
  expect(await statusNow(world)).toMatchObject({ collisionCount: 1, currentNumberScheduled: 2 })
  const revisions = await world.client.listAll(ControllerRevision, { namespace: 'default' })
  expect(revisions).toHaveLength(2)
})

test('keeps one of several revisions of a template and relabels the pods', async () => {
  await using world = await setWorld()
  const [kept] = await world.client.listAll(ControllerRevision, { namespace: 'default' })
  const hash = { 'controller-revision-hash': 'twin' }
  await world.client.create(ControllerRevision, {
    data: kept?.data ?? {},
    revision: 2,
    metadata: { name: 'twin', labels: { ...labels, ...hash } },
  })
  await world.client.patch(DaemonSet, 'agent', {
    merge: { metadata: { labels: { touched: 'yes' } } },
  })
  await world.host.sleep(500)
  const revisions = await world.client.listAll(ControllerRevision, { namespace: 'default' })
  expect(revisions.map(({ metadata }) => metadata.name)).toEqual(['twin'])
  for (const { metadata } of await world.pods()) expect(metadata.labels).toMatchObject(hash)
})
