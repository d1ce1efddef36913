import { expect, test } from 'vitest'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { migrateDefinition, type MigrationResult } from './migrate-definition.ts'
import { positionAnnotation } from './migration-position.ts'
import type { Migration } from './rewrite-objects.ts'
import { readDefinition } from './stored-definition.ts'
import { Disk, LastDisk, OldDisk } from './testdata/disks.ts'
import { crdName, migrateWorld } from './testdata/migrate-world.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 100)

type World = Awaited<ReturnType<typeof migrateWorld>>

/** Migrates the disks without the command, in small pages. */
async function migrate(world: World, options: Partial<Migration>): Promise<MigrationResult> {
  const { client, host } = world
  const definition = await readDefinition(client, crdName)
  if (definition === undefined) throw new Error('there is no CRD')
  const { signal } = new AbortController()
  const migration = {
    client,
    host,
    signal,
    concurrency: 1,
    pageSize: 20,
    onProgress: () => undefined,
  }
  return migrateDefinition({ ...migration, ...options }, definition)
}

/** Migrates, and changes the CRD when the first object is rewritten. */
async function migrateWhile(
  world: World,
  change: () => Promise<unknown>,
): Promise<{ result: MigrationResult; calls: number }> {
  let changed: Promise<unknown> | undefined
  let calls = 0
  const onProgress = (): void => {
    calls += 1
    changed ??= change()
  }
  const result = await migrate(world, { onProgress })
  await changed
  return { result, calls }
}

test('rewrites all objects, so that the old version can be removed', async () => {
  await using world = await migrateWorld({ sizes: [1, 2, 3] })
  const { client } = world
  expect(await world.storedVersions()).toEqual(['v1', 'v2'])
  expect(await world.call(['--dry-run'])).toMatchObject({
    exitCode: 0,
    lines: [`${crdName}: would rewrite 3 objects to v2, and remove v1 from status.storedVersions`],
  })
  expect(await world.storedVersions()).toEqual(['v1', 'v2'])
  expect(await world.call()).toMatchObject({
    exitCode: 0,
    lines: [`${crdName}: rewrote 3 objects to v2, and removed v1 from status.storedVersions`],
  })
  expect(await world.storedVersions()).toEqual(['v2'])
  expect(await world.call(['Disk'])).toMatchObject({
    exitCode: 0,
    lines: [`${crdName}: nothing to do, all objects are stored as v2`],
  })
  // A server cannot read objects that are stored in a version that the CRD does not have.
  await world.running.stop()
  await client.apply(CustomResourceDefinition, LastDisk.crd(), { force: true })
  expect(await world.sizes()).toEqual({ d0: '1Gi', d1: '2Gi', d2: '3Gi' })
})

test('takes the names of CRDs, and refuses unknown kinds', async () => {
  await using world = await migrateWorld({ sizes: [1] })
  expect(await world.call(['Volume'])).toMatchObject({
    exitCode: 2,
    error: 'the project has no resource Volume',
  })
  expect(await world.call(['volumes.example.com'])).toMatchObject({
    exitCode: 1,
    lines: ['volumes.example.com: the CRD is not installed'],
  })
  const json = await world.call(['disks.example.com', '--json'])
  expect(JSON.parse(json.lines.join(''))).toMatchObject({
    definitions: [{ name: crdName, state: 'migrated', storage: 'v2', done: 1, failures: [] }],
  })
})

test('an interrupted run continues after the last complete page, even after its token has expired', async () => {
  await using world = await migrateWorld({ sizes: upTo(50) })
  const { client, cluster } = world
  const stop = new AbortController()
  const first = await migrate(world, {
    signal: stop.signal,
    onProgress: (done) => (done === 25 ? stop.abort() : undefined),
  })
  expect(first.state).toBe('interrupted')
  expect(await world.storedVersions()).toEqual(['v1', 'v2'])
  const { metadata } = await client.get(CustomResourceDefinition, crdName)
  const saved = JSON.parse(metadata.annotations?.[positionAnnotation] ?? '') as { done: number }
  expect(saved.done).toBe(20)
  cluster.faults.answer({ kind: Disk, verb: 'list' }, 410)
  const before = cluster.trace.length
  const progress: number[] = []
  const second = await migrate(world, { onProgress: (done) => progress.push(done) })
  expect(second).toMatchObject({ state: 'migrated', done: 50 })
  expect(progress[0]).toBe(21)
  const answers = cluster.trace.slice(before).map(({ code }) => code)
  expect(answers).toContain(410)
  await world.running.stop()
  await client.apply(CustomResourceDefinition, LastDisk.crd(), { force: true })
  expect(Object.keys(await world.sizes())).toHaveLength(50)
  const { annotations } = (await client.get(CustomResourceDefinition, crdName)).metadata
  expect(annotations?.[positionAnnotation]).toBeUndefined()
})

test('Ctrl-C ends the command with the exit code of an interrupt, and keeps the old version', async () => {
  await using world = await migrateWorld({ sizes: [1, 2] })
  const stop = new AbortController()
  world.host.setTimer(500, () => stop.abort())
  expect(await world.call([], stop.signal)).toMatchObject({ exitCode: 130, error: '' })
  expect(await world.storedVersions()).toEqual(['v1', 'v2'])
})

test('writers, deletions, conflicts and lost answers leave no object in the old version', async () => {
  await using world = await migrateWorld({ sizes: upTo(40) })
  const { client, cluster } = world
  cluster.faults.answer({ kind: Disk, verb: 'patch', name: 'd1' }, 409, { times: 3 })
  cluster.faults.loseAnswer({ kind: Disk, verb: 'patch', name: 'd2' })
  cluster.faults.loseRequest({ kind: Disk, verb: 'patch', name: 'd3' })
  cluster.faults.delayRequest({ kind: Disk, verb: 'patch', name: 'd4' }, '3s')
  cluster.faults.delayRequest({ kind: Disk, verb: 'patch', name: 'd5' }, '3s')
  const migration = world.call()
  // After the list, and before the delayed requests.
  await world.host.sleep(5_500)
  await client.delete(Disk, 'd4')
  await client.patch(Disk, 'd5', { merge: { spec: { size: '7Gi' } } })
  expect(await migration).toMatchObject({ exitCode: 0 })
  await world.running.stop()
  await client.apply(CustomResourceDefinition, LastDisk.crd(), { force: true })
  const sizes = await world.sizes()
  expect(Object.keys(sizes)).toHaveLength(39)
  expect(sizes).toMatchObject({ d1: '101Gi', d2: '102Gi', d3: '103Gi', d5: '7Gi' })
})

test('names the objects that cannot be rewritten, and keeps the old version', async () => {
  await using world = await migrateWorld({ sizes: [1, 13, 2] })
  const failed = await world.call()
  expect(failed.exitCode).toBe(1)
  expect(failed.lines[0]).toBe(`${crdName}: 1 object could not be rewritten, 2 could:`)
  expect(failed.lines[1]).toMatch(/^ {2}default\/d1: .*13 is not a size/)
  expect(failed.lines[2]).toMatch(/status\.storedVersions keeps v1/)
  expect(await world.storedVersions()).toEqual(['v1', 'v2'])
  await world.client.delete(OldDisk, 'd1')
  expect(await world.call()).toMatchObject({ exitCode: 0 })
  expect(await world.storedVersions()).toEqual(['v2'])
})

test('names the permissions that the user does not have, and writes nothing', async () => {
  await using world = await migrateWorld({ sizes: [1], users: [{ name: 'ann' }] })
  const { cluster } = world
  const asAnn = [crdName, '--context', 'ann']
  // Ann may read CRDs and nothing else.
  await world.allow('ann', [
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      verbs: ['get'],
    },
  ])
  const before = cluster.trace.length
  expect((await world.call(asAnn)).error).toBe(
    [
      `you cannot migrate ${crdName}, because you cannot:`,
      '  list disks.example.com',
      '  patch disks.example.com',
      `  patch customresourcedefinitions.apiextensions.k8s.io ${crdName}`,
      `  update customresourcedefinitions/status.apiextensions.k8s.io ${crdName}`,
    ].join('\n'),
  )
  const writes = cluster.trace.slice(before).filter(({ verb }) => verb === 'patch')
  expect(writes).toEqual([])
})

test('rewrites all objects again if the CRD changes meanwhile', async () => {
  await using world = await migrateWorld({ sizes: [1, 2, 3] })
  const { result, calls } = await migrateWhile(world, () =>
    world.client.patch(CustomResourceDefinition, crdName, {
      merge: { spec: { names: { categories: ['all'] } } },
    }),
  )
  expect(result).toMatchObject({ state: 'migrated', done: 3 })
  expect(calls).toBe(6)
})

test('gives up if the storage version changes meanwhile', async () => {
  await using world = await migrateWorld({ sizes: [1, 2, 3] })
  const { client } = world
  const { spec } = await client.get(CustomResourceDefinition, crdName)
  const versions = spec.versions.map((version) => ({ ...version, storage: version.name === 'v1' }))
  const change = (): Promise<unknown> =>
    client.patch(CustomResourceDefinition, crdName, { merge: { spec: { versions } } })
  await expect(migrateWhile(world, change)).rejects.toThrow(
    `the CRD ${crdName} now stores v1 instead of v2: the migration to v2 was given up`,
  )
  expect(await world.storedVersions()).toEqual(['v1', 'v2'])
})
