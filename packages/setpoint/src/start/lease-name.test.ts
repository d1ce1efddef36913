import * as z from 'zod'
import { expect, test } from 'vitest'
import { LiveNamespaces } from '../cache/index.ts'
import { defineResource } from '../definition/index.ts'
import { readText } from '../host/index.ts'
import { ConfigMap, Namespace } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { leaseName } from './index.ts'
import { startOptionsOf } from './run-options.ts'
import { createIdleWorld } from './testdata/world.ts'

const Box = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Box',
  spec: z.object({}),
})

const boxes = operator(Box)
const quotas = operator(Namespace, { name: 'Quotas_1' })
const hashed = /^boxes\.example\.com-[a-z0-9]+$/

test.for([
  ['all namespaces', [boxes], undefined, 'boxes.example.com'],
  ['two operators', [quotas, boxes], undefined, 'quotas-1-boxes.example.com'],
  ['the option of the process', [boxes], ['b', 'a'], 'boxes.example.com-in-a.b'],
  ['its own option', [operator(Box, { namespaces: ['a'] })], undefined, 'boxes.example.com-in-a'],
  ['the process overrides', [operator(Box, { namespaces: ['a'] })], ['b'], /-in-b$/],
  ['a cluster-scoped kind', [quotas], ['a'], 'quotas-1'],
  [
    'different namespaces',
    [boxes, operator(Box, { name: 'o', namespaces: ['a'] })],
    undefined,
    /^boxes\.example\.com-o-[a-z0-9]+$/,
  ],
  ['a label selector', [operator(Box, { labelSelector: 'team=a' })], undefined, hashed],
  [
    'namespaces by label',
    [operator(Box, { namespaces: { labelSelector: 'a' } })],
    undefined,
    hashed,
  ],
  ['live namespaces', [operator(Box, { namespaces: new LiveNamespaces() })], undefined, hashed],
  ['many namespaces', [boxes], Array.from({ length: 90 }, (_, at) => `n-${at}`), hashed],
] as const)(
  'derives the name of the Lease from what is served: %s',
  ([, operators, namespaces, name]) => {
    const derived = leaseName(operators, namespaces)
    if (typeof name === 'string') expect(derived).toBe(name)
    else expect(derived).toMatch(name)
  },
)

test('parts of different namespaces work at the same time, and a standby names the leader', async () => {
  await using world = await createIdleWorld([Box])
  const { client, host, connection } = world
  const mapped = boxes.child('map', ConfigMap, () => ({ data: {} }))
  for (const name of ['a', 'b']) {
    await client.create(Namespace, { metadata: { name } })
    await client.create(Box, { metadata: { name: 'one', namespace: name }, spec: {} })
  }
  const part = async (namespace: string, identity: string) => {
    const env = new Map([
      ['LEADER_ELECTION', 'true'],
      ['WATCH_NAMESPACES', namespace],
    ])
    const options = { probes: { hostname: '127.0.0.1', port: 0 }, election: { identity } }
    const started = startOptionsOf([mapped], options, { env: (name) => env.get(name) })
    return world.start([mapped], { ...started, host, connection })
  }
  const parts = [await part('a', 'a-1'), await part('b', 'b-1'), await part('b', 'b-2')]
  await host.sleep(60_000)
  expect(parts.map(({ isLeader }) => isLeader)).toEqual([true, true, false])
  const maps = (await client.listAll(ConfigMap)).filter(({ metadata }) => metadata.name === 'one')
  expect(maps.map(({ metadata }) => metadata.namespace)).toEqual(['a', 'b'])
  const ready = async (path: string) => {
    const url = `${parts[2]?.probesUrl}${path}`
    const { status, body } = await host.request({ method: 'GET', url })
    return [status, await readText(body, 10_000)]
  }
  const note = 'standing by for the Lease default/boxes.example.com-in-b, held by b-1'
  expect(await ready('/readyz')).toEqual([200, `ok\nelection: ${note}`])
  expect((await ready('/readyz?verbose'))[1]).toContain(`[+]election ok: ${note}\n`)
  await Promise.all(parts.map(async (one) => one.stop()))
})
