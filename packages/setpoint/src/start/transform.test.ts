import { expect, test } from 'vitest'
import { ConfigMap, Secret } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { createWorld } from '../handlers/testdata/volumes-world.ts'

test('caches only the result of transform, and the whole object when it throws', async () => {
  const seen: Record<string, unknown> = {}
  const secrets = operator(Secret, { name: 'secrets' }).watch(
    ConfigMap,
    ({ metadata }) => `default/${metadata.name}`,
    {
      transform: ({ data, ...rest }) => {
        if (data?.['text'] === 'bad') throw new Error('it is bad')
        return rest
      },
    },
  )
  const narrow = secrets.reconcile(async ({ metadata: { name } }, ctx) => {
    seen[name] = ctx.get(ConfigMap, `default/${name}`)?.data
  })
  const both = operator(Secret, { name: 'both' })
    .watch(ConfigMap, () => [], { transform: ({ data: _, ...rest }) => rest })
    .watch(ConfigMap, () => [])
    .reconcile(async ({ metadata: { name } }, ctx) => {
      seen[`whole ${name}`] = ctx.get(ConfigMap, `default/${name}`)?.data
    })
  await using world = await createWorld(narrow, both)
  for (const name of ['good', 'bad', 'last']) {
    await world.client.create(ConfigMap, { metadata: { name }, data: { text: name } })
    await world.client.create(Secret, { metadata: { name } })
  }
  await world.host.sleep(1_000)
  expect(seen).toEqual({
    good: undefined,
    bad: { text: 'bad' },
    last: undefined,
    'whole good': { text: 'good' },
    'whole bad': { text: 'bad' },
    'whole last': { text: 'last' },
  })
  expect(world.host.logged.join()).toContain('the transform of ConfigMap threw')
})
