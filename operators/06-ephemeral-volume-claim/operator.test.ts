import { readFile } from 'node:fs/promises'
import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { InferManifest } from 'setpoint'
import { virtualHost } from 'setpoint/host'
import { PersistentVolumeClaim, StorageClass } from 'setpoint/kinds'
import { EphemeralVolumeClaim } from './ephemeral-volume-claim.ts'
import claims from './operator.ts'

const read = async (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

// Before the test: virtual time continues while a test waits for a real file.
const sample = parse(await read('sample.yaml')) as InferManifest<typeof EphemeralVolumeClaim>

test('creates, resizes and relabels the PersistentVolumeClaim as in the tutorial', async () => {
  using host = virtualHost({ seed: 3 })
  await using cluster = await createCluster({ host, workloads: 'off', operators: [claims] })
  const { client } = cluster
  await client.create(StorageClass, {
    metadata: { name: 'standard' },
    provisioner: 'example.com/disks',
    allowVolumeExpansion: true,
  })
  const pvc = () => client.get(PersistentVolumeClaim, 'my-claim-data')

  // Creation: a PersistentVolumeClaim with an owner reference, and its name in the status.
  const claim = await client.create(EphemeralVolumeClaim, sample)
  await host.sleep(5_000)
  expect(await pvc()).toMatchObject({
    metadata: { ownerReferences: [{ uid: claim.metadata.uid, controller: true }] },
    spec: { storageClassName: 'standard', resources: { requests: { storage: '1Gi' } } },
  })
  const status = async () => (await client.get(EphemeralVolumeClaim, 'my-claim')).status
  expect(await status()).toMatchObject({ createFn: { 'pvc-name': 'my-claim-data' } })

  // Resize before the claim is bound: the handler retries later, and Ready stays True.
  await client.patch(EphemeralVolumeClaim, 'my-claim', { merge: { spec: { size: '2Gi' } } })
  await host.sleep(5_000)
  expect((await pvc()).spec.resources?.requests?.['storage']).toBe('1Gi')
  expect((await status())?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }])

  // The claim is bound: the next retry resizes it.
  const bound = { phase: 'Bound', capacity: { storage: '1Gi' } }
  await client.patch(PersistentVolumeClaim, 'my-claim-data', {
    subresource: 'status',
    merge: { status: bound },
  })
  await host.sleep(15_000)
  expect((await pvc()).spec.resources?.requests?.['storage']).toBe('2Gi')

  // Labels are copied; labels of other managers are kept.
  await client.patch(PersistentVolumeClaim, 'my-claim-data', {
    merge: { metadata: { labels: { others: 'label' } } },
  })
  const label = async (labels: object) => {
    await client.patch(EphemeralVolumeClaim, 'my-claim', { merge: { metadata: { labels } } })
    await host.sleep(5_000)
    return (await pvc()).metadata.labels
  }
  expect(await label({ app: 'web', tier: 'gold' })).toEqual({
    others: 'label',
    app: 'web',
    tier: 'gold',
  })
  expect(await label({ app: 'shop', tier: null })).toEqual({ others: 'label', app: 'shop' })

  // A size that the server refuses is reported in Ready, and retried.
  await client.patch(EphemeralVolumeClaim, 'my-claim', { merge: { spec: { size: '512Mi' } } })
  await host.sleep(5_000)
  expect((await status())?.conditions).toMatchObject([
    { type: 'Ready', status: 'False', message: expect.stringMatching(/^resizeFn: /) as string },
  ])
  await client.patch(EphemeralVolumeClaim, 'my-claim', { merge: { spec: { size: '3Gi' } } })
  await host.sleep(5_000)
  expect((await pvc()).spec.resources?.requests?.['storage']).toBe('3Gi')
  expect((await status())?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }])
})

test('is shown completely in the tutorial', async () => {
  const tutorial = await read('../../docs/tutorial/handlers.md')
  for (const file of ['ephemeral-volume-claim.ts', 'pvc.yaml', 'sample.yaml', 'main.ts']) {
    expect(tutorial).toContain(await read(file))
  }
  // The operator is shown step by step: the tutorial contains all of its lines.
  const lines = (await read('operator.ts')).split('\n')
  expect(lines.filter((line) => !tutorial.includes(line))).toEqual([])
})
