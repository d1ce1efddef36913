import { expect, test } from 'vitest'
import { ConfigMap, Secret } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { world } from '../handlers/testdata/volumes-world.ts'

test('of a watched kind only what is made of its objects is kept; one that breaks that is kept whole', async () => {
  const seen: Record<string, unknown> = {}
  const secrets = operator(Secret).watch(ConfigMap, ({ metadata }) => `default/${metadata.name}`, {
    transform: ({ data, ...rest }) => {
      if (data?.['text'] === 'bad') throw new Error('it is bad')
      return rest
    },
  })
  const narrow = secrets.reconcile(async ({ metadata: { name } }, ctx) => {
    seen[name] = ctx.get(ConfigMap, `default/${name}`)?.data
  })
  const both = operator(Secret, { name: 'both' })
    .watch(ConfigMap, () => [], { transform: ({ data: _, ...rest }) => rest })
    .watch(ConfigMap, () => [])
    .reconcile(async ({ metadata: { name } }, ctx) => {
      seen[`whole ${name}`] = ctx.get(ConfigMap, `default/${name}`)?.data
    })
  await using it = await world(narrow, both)
  for (const name of ['good', 'bad', 'last']) {
    await it.client.create(ConfigMap, { metadata: { name }, data: { text: name } })
    await it.client.create(Secret, { metadata: { name } })
  }
  await it.host.sleep(1_000)
  expect(seen).toEqual({
    good: undefined,
    bad: { text: 'bad' },
    last: undefined,
    'whole good': { text: 'good' },
    'whole bad': { text: 'bad' },
    'whole last': { text: 'last' },
  })
  expect(it.host.logged.join()).toContain('the transform of a ConfigMap failed')
})
