import { testWorld } from '@setpoint/cluster'
import { conditionOf } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { HelmRelease } from './helm-release.ts'
import releases from './operator.ts'
import { virtualHelm, type VirtualHelm } from './testdata/virtual-helm.ts'

const chart = { oci: 'oci://registry.example.com/web' }

async function create({ world }: VirtualHelm, name: string, spec: object = {}): Promise<void> {
  await world.client.create(HelmRelease, { metadata: { name }, spec: { chart, ...spec } })
}

async function readyOf({ world }: VirtualHelm, name: string) {
  return conditionOf(await world.client.get(HelmRelease, name), 'Ready')
}

const dependsOn = (...names: string[]) => ({ dependsOn: names.map((name) => ({ name })) })

test('a release waits until those that it depends on are ready', async () => {
  const helm = await virtualHelm()
  await using world = helm.world
  await create(helm, 'frontend', dependsOn('backend'))
  await world.settle()
  expect(await readyOf(helm, 'frontend')).toMatchObject({
    status: 'False',
    reason: 'DependencyNotReady',
    message: 'waiting for HelmRelease default/backend',
  })
  await create(helm, 'backend')
  await world.settle()
  expect(helm.calls).toEqual(['upgrade backend', 'upgrade frontend'])
  expect(await readyOf(helm, 'frontend')).toMatchObject({ reason: 'InstallSucceeded' })
})

test('releases that depend on each other say so, until one of them is changed', async () => {
  const helm = await virtualHelm()
  await using world = helm.world
  await create(helm, 'a', dependsOn('b'))
  await create(helm, 'b', dependsOn('c'))
  await create(helm, 'c', dependsOn('a'))
  await create(helm, 'd', dependsOn('a'))
  await world.settle()
  expect(await readyOf(helm, 'a')).toMatchObject({
    reason: 'DependencyCycle',
    message: 'dependsOn is a cycle: default/a -> default/b -> default/c -> default/a',
  })
  expect(await readyOf(helm, 'd')).toMatchObject({ reason: 'DependencyNotReady' })
  expect(helm.calls).toEqual([])
  await world.client.patch(HelmRelease, 'c', { merge: { spec: { dependsOn: [] } } })
  await world.settle()
  expect(helm.calls).toEqual(['upgrade c', 'upgrade b', 'upgrade a', 'upgrade d'])
  expect(await readyOf(helm, 'd')).toMatchObject({ status: 'True' })
})

test('a suspended release is left alone until it is resumed', async () => {
  const helm = await virtualHelm()
  await using world = helm.world
  await create(helm, 'web', { suspend: true })
  await world.host.sleep(3_600_000)
  await world.settle()
  expect(helm.calls).toEqual([])
  await world.client.patch(HelmRelease, 'web', { merge: { spec: { suspend: false } } })
  await world.settle()
  expect(helm.calls).toEqual(['upgrade web'])
  await world.client.patch(HelmRelease, 'web', { merge: { spec: { suspend: true } } })
  await world.client.delete(HelmRelease, 'web')
  await world.settle()
  expect(helm.calls).toEqual(['upgrade web'])
})

test('an install does not block others, and a deletion cancels it and uninstalls', async () => {
  const helm = await virtualHelm()
  await using world = helm.world
  helm.slow.add('slow')
  await create(helm, 'slow')
  await create(helm, 'fast')
  await world.settle()
  expect(await readyOf(helm, 'slow')).toMatchObject({ reason: 'Progressing', status: 'Unknown' })
  expect(await readyOf(helm, 'fast')).toMatchObject({ status: 'True' })
  await world.client.delete(HelmRelease, 'slow')
  await world.settle()
  expect(await world.client.find(HelmRelease, 'slow')).toBeUndefined()
  expect(helm.calls.filter((call) => call.endsWith('slow'))).toEqual([
    'upgrade slow',
    'uninstall slow',
  ])
})

test('a restart continues an interrupted install, and repeats no finished one', async () => {
  const helm = await virtualHelm()
  await using world = helm.world
  helm.slow.add('slow')
  await create(helm, 'slow')
  await create(helm, 'done')
  await world.settle()
  helm.slow.clear()
  await world.restart()
  await world.settle()
  expect(helm.calls.toSorted()).toEqual(['upgrade done', 'upgrade slow', 'upgrade slow'])
  const { status } = await world.client.get(HelmRelease, 'slow')
  expect(status).toMatchObject({ installFailures: 0 })
  expect(status?.history?.map((one) => one.status)).toEqual(['deployed', 'failed'])
})

test('nothing is written while nothing changes', async () => {
  const helm = await virtualHelm()
  await using world = helm.world
  await create(helm, 'web')
  await world.settle()
  world.writes()
  await world.host.sleep(3_600_000)
  await world.settle()
  expect(world.writes()).toEqual([])
})

test('without helm, Ready says how to get it, and an object can be deleted', async () => {
  await using world = await testWorld({ operators: [releases] })
  await world.client.create(HelmRelease, { metadata: { name: 'web' }, spec: { chart } })
  await world.settle()
  expect(conditionOf(await world.client.get(HelmRelease, 'web'), 'Ready')).toMatchObject({
    status: 'False',
    reason: 'HelmMissing',
    message: expect.stringContaining(
      'install Helm 3 (https://helm.sh/docs/intro/install)',
    ) as string,
  })
  await world.client.delete(HelmRelease, 'web')
  await world.settle()
  expect(await world.client.find(HelmRelease, 'web')).toBeUndefined()
})
