import { ConfigMap, Pod, Secret } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { type NodesWorld, nodesWorld } from './testdata/nodes-world.ts'

const data = { key: 'dmFsdWU=' }

async function stateOf(world: NodesWorld, name: string): Promise<string> {
  const { status } = await world.pod(name)
  const [container] = status?.containerStatuses ?? []
  const { waiting } = container?.state ?? {}
  const state = waiting ? `${waiting.reason}: ${waiting.message ?? ''}` : 'started'
  return `${status?.phase} ${container?.restartCount} ${state}`
}

test('a container waits until the key of a Secret exists, and then starts', async () => {
  await using world = await nodesWorld()
  const valueFrom = { secretKeyRef: { name: 'db', key: 'key' } }
  const app = { name: 'app', image: 'nginx:1', env: [{ name: 'PASSWORD', valueFrom }] }
  await world.create('web', { metadata: {}, spec: { containers: [app] } })
  const waiting = 'Pending 0 CreateContainerConfigError: '
  expect(await stateOf(world, 'web')).toBe(`${waiting}secret "db" not found`)
  expect((await world.events('web')).slice(-2)).toEqual([
    expect.stringContaining('Pulled: '),
    'Failed: Error: secret "db" not found',
  ])
  await world.client.create(Secret, { metadata: { name: 'db' } })
  await world.host.settle()
  expect(await stateOf(world, 'web')).toBe(`${waiting}couldn't find key key in Secret default/db`)
  world.writes()
  await world.client.create(Secret, { metadata: { name: 'other' } })
  await world.host.settle()
  expect(world.writes()).toEqual(['create secrets'])
  await world.client.patch(Secret, 'db', { merge: { data } })
  await world.host.settle()
  expect(await stateOf(world, 'web')).toBe('Running 0 started')
  expect(Pod.isReady(await world.pod('web'))).toBe(true)
  expect((await world.events('web')).slice(-4)).toEqual([
    "Failed: Error: couldn't find key key in Secret default/db",
    expect.stringContaining('Pulled: '),
    'Created: Container created',
    'Started: Container started',
  ])
})

test('a container that restarts waits for a ConfigMap that was deleted', async () => {
  await using world = await nodesWorld()
  world.pods.behave('nginx', { exits: [{ code: 1, after: 5_000 }] })
  await world.client.create(ConfigMap, { metadata: { name: 'settings' } })
  const envFrom = [{ configMapRef: { name: 'settings' } }]
  const containers = [{ name: 'app', image: 'nginx', envFrom }]
  await world.create('web', { metadata: {}, spec: { containers } })
  await world.client.delete(ConfigMap, 'settings')
  await world.host.settle()
  expect(await stateOf(world, 'web')).toBe('Running 0 started')
  await world.host.sleep(30_000)
  expect(await stateOf(world, 'web')).toBe(
    'Running 0 CreateContainerConfigError: configmap "settings" not found',
  )
  await world.client.create(ConfigMap, { metadata: { name: 'settings' } })
  await world.host.settle()
  expect(await stateOf(world, 'web')).toBe('Running 1 started')
})

test('a pod waits for the Secret of a volume, and keeps what is mounted', async () => {
  await using world = await nodesWorld()
  const spec = {
    containers: [{ name: 'app', image: 'nginx' }],
    volumes: [{ name: 'tls', secret: { secretName: 'cert' } }],
  }
  await world.create('web', { metadata: {}, spec })
  expect(await stateOf(world, 'web')).toBe('Pending 0 ContainerCreating: ')
  await world.restart()
  const failed = 'FailedMount: MountVolume.SetUp failed for volume "tls" : secret "cert" not found'
  expect(await world.events('web')).toContainEqual(expect.stringContaining(failed))
  await world.client.create(Secret, { metadata: { name: 'cert' } })
  await world.host.settle()
  expect(await stateOf(world, 'web')).toBe('Running 0 started')
  await world.client.delete(Secret, 'cert')
  await world.host.settle()
  expect(Pod.isReady(await world.pod('web'))).toBe(true)
})

test('a pod that waits for a ConfigMap can be deleted', async () => {
  await using world = await nodesWorld()
  const spec = {
    containers: [{ name: 'app', image: 'nginx' }],
    volumes: [{ name: 'etc', configMap: { name: 'settings' } }],
  }
  await world.create('web', { metadata: {}, spec })
  await world.client.delete(Pod, 'web')
  await world.host.settle()
  expect(await world.client.find(Pod, 'web')).toBeUndefined()
})
