import { testWorld } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../../definition/index.ts'
import { ConfigMap, Deployment, Pod, Secret } from '../../kinds/index.ts'
import { operator } from './operator.ts'
import { rolloutOn } from './rollout-on.ts'

const Shop = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ mode: z.string(), label: z.string().default('a') }),
  conditions: ['Ready'],
})

const shops = operator(Shop)
  .child('settings', ConfigMap, ({ spec: { mode, label } }) => ({
    metadata: { labels: { label } },
    data: { MODE: mode },
  }))
  .child('password', Secret, { createOnly: true }, (_, { randomBytes }) => ({
    data: { password: Buffer.from(randomBytes(8)).toString('base64') },
  }))
  .child('web', Deployment, ({ metadata: { name: app } }, { children }) => ({
    spec: {
      replicas: 2,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app }, annotations: rolloutOn(children.settings, children.password) },
        spec: {
          containers: [{ name: 'web', image: 'web:1', envFrom: [{ configMapRef: { name: app } }] }],
        },
      },
    },
  }))

test('replaces pods once when the content of their ConfigMap changes, and writes nothing at rest', async () => {
  await using world = await testWorld({ operators: [shops] })
  const revision = async (): Promise<string | undefined> =>
    (await world.client.get(Deployment, 'shop')).metadata.annotations?.[
      'deployment.kubernetes.io/revision'
    ]
  const pods = async (): Promise<string[]> =>
    (await world.client.listAll(Pod, { namespace: 'default' })).map(({ metadata }) => metadata.uid)
  await world.client.create(Shop, { metadata: { name: 'shop' }, spec: { mode: 'slow' } })
  await world.settle()
  const first = await pods()
  expect([await revision(), first.length]).toEqual(['1', 2])
  await world.client.patch(Shop, 'shop', { merge: { spec: { mode: 'fast' } } })
  await world.settle()
  const second = await pods()
  expect([await revision(), second.length]).toEqual(['2', 2])
  expect(second.filter((uid) => first.includes(uid))).toEqual([])
  // Labels are not content.
  await world.client.patch(Shop, 'shop', { merge: { spec: { label: 'b' } } })
  await world.settle()
  expect([await revision(), await pods()]).toEqual(['2', second])
  // A password that a user changed is content.
  await world.client.patch(Secret, 'shop', { merge: { data: { password: 'bmV3' } } })
  await world.settle()
  expect(await revision()).toBe('3')
  world.writes()
  await world.restart()
  await world.host.sleep(600_000)
  expect([world.writes(), await revision()]).toEqual([[], '3'])
})

test('depends on names and content, and not on other fields or the order', () => {
  const a = { metadata: { name: 'a', resourceVersion: '1' }, data: { x: '1', y: '2' } }
  const b = { metadata: { name: 'b' }, data: { x: '3' } }
  const same = rolloutOn(a, b)
  const newer = {
    data: { y: '2', x: '1' },
    metadata: { resourceVersion: '2', name: 'a' },
    kind: 'A',
  }
  expect(rolloutOn(b, newer)).toEqual(same)
  const swapped = [
    { ...a, data: b.data },
    { ...b, data: a.data },
  ] as const
  expect(rolloutOn(...swapped)).not.toEqual(same)
  expect(rolloutOn(a)).not.toEqual(rolloutOn(a, undefined))
  expect(rolloutOn({ stringData: { k: 'v' } })).toEqual(rolloutOn({ data: { k: 'dg==' } }))
  expect(rolloutOn({ data: {} })).toEqual(rolloutOn({}))
  expect(Object.values(same)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
})
