import { testWorld } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  defineResource,
  type Frozen,
  type InferResource,
  operator,
  type PrepareContext,
} from '../index.ts'
import { ConfigMap, conditionOf } from '../kinds/index.ts'

const Page = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Page',
  spec: z.object({ text: z.string() }),
  conditions: ['Ready'],
})

/** What another program writes about a text: upper case, or exit code 1 for an empty text. */
async function render(
  { spec }: Frozen<InferResource<typeof Page>>,
  { workspace }: PrepareContext,
): Promise<Record<string, string>> {
  await using work = await workspace()
  const { exitCode, stdout } = await work.run('upper', { args: [spec.text] })
  if (exitCode !== 0) throw new Error('upper failed')
  return Object.fromEntries(stdout.split(' ').map((word) => [word.toLowerCase(), word]))
}

const pages = operator(Page)
  .prepare(render)
  .children('word', ConfigMap, (_, { prepared }) => {
    const words = Object.entries(prepared(render))
    return Object.fromEntries(words.map(([key, word]) => [key, { data: { word } }]))
  })

const startPages = async () =>
  testWorld({
    operators: [pages],
    programs: {
      upper: async ({ args: [text = ''] = [], print }) => {
        print(text.toUpperCase())
        return text === '' ? 1 : 0
      },
    },
  })

test('the functions of children get the result of .prepare, and what it leaves out is pruned', async () => {
  await using world = await startPages()
  const { client } = world
  await client.create(Page, { metadata: { name: 'home' }, spec: { text: 'hello world' } })
  await world.settle()
  expect((await client.get(ConfigMap, 'home-hello')).data).toEqual({ word: 'HELLO' })
  expect((await client.get(ConfigMap, 'home-world')).data).toEqual({ word: 'WORLD' })
  await client.patch(ConfigMap, 'home-hello', { merge: { data: { word: 'changed' } } })
  await client.patch(Page, 'home', { merge: { spec: { text: 'hello' } } })
  await world.settle()
  expect((await client.get(ConfigMap, 'home-hello')).data).toEqual({ word: 'HELLO' })
  expect(await client.find(ConfigMap, 'home-world')).toBeUndefined()
})

test('children stay as they are while .prepare fails, and Ready says why', async () => {
  await using world = await startPages()
  const { client } = world
  await client.create(Page, { metadata: { name: 'home' }, spec: { text: 'hello' } })
  await world.settle()
  world.writes()
  await client.patch(Page, 'home', { merge: { spec: { text: '' } } })
  await world.settle()
  expect(world.writes().filter((write) => write.includes('configmaps'))).toEqual([])
  expect(conditionOf(await client.get(Page, 'home'), 'Ready')).toMatchObject({
    status: 'False',
    message: 'upper failed',
  })
})

test('a result that is not prepared is an error that says what to do', async () => {
  const forgotten = operator(Page).child('all', ConfigMap, (_, { prepared }) => ({
    data: prepared(render),
  }))
  await using world = await testWorld({ operators: [forgotten] })
  await world.client.create(Page, { metadata: { name: 'home' }, spec: { text: 'hello' } })
  await world.settle()
  expect(conditionOf(await world.client.get(Page, 'home'), 'Ready')?.message).toContain(
    'the child all of pages.example.com uses a result that is not prepared',
  )
})
