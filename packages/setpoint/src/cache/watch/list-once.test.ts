import { expect, test } from 'vitest'
import { fixedCredentials, Transport } from '../../client/index.ts'
import { virtualHost } from '../../host/index.ts'
import { ConfigMap } from '../../kinds/index.ts'
import type { Change } from '../change.ts'
import { listOnce } from './list-once.ts'
import { ObjectStore } from '../store/object-store.ts'
import { WatchedObjects } from '../watched-objects.ts'

/** Watched objects, and a server that sends the given responses in turn. */
async function createLister(answers: string[]) {
  const host = virtualHost({ seed: 1 })
  const server = await host.listen({
    handle: async () => ({ status: 200, body: answers.shift() ?? '' }),
  })
  const credentials = fixedCredentials({})
  const connection = { server: server.url, namespace: 'default', name: 'test', credentials }
  const transport = new Transport(host, connection)
  const changes: string[] = []
  const store = new ObjectStore(ConfigMap)
  const listener = ({ type, key, current }: Change): void =>
    void changes.push(`${type} ${key}@${current.resourceVersion}`)
  const watched = new WatchedObjects(store, undefined, listener)
  const { signal } = new AbortController()
  const onActivity = (): void => undefined
  const list = (): Promise<void> =>
    listOnce({ transport, kind: ConfigMap, selection: {}, watched, signal, onActivity })
  return { list, watched, changes }
}

const page = (revision: string, ...revisions: readonly string[]): string =>
  JSON.stringify({
    kind: 'ConfigMapList',
    metadata: { resourceVersion: revision },
    items: revisions.map((resourceVersion, index) => ({
      metadata: { namespace: 'x', name: `n${index}`, uid: `u${index}`, resourceVersion },
    })),
  })

test.each([
  ['a web page', '<html>please log in</html>'],
  ['nothing', ''],
  ['an empty object', '{}'],
  ['a list without items', '{"metadata":{"resourceVersion":"9"}}'],
  ['a list without revision', '{"metadata":{},"items":[]}'],
  ['a list that was cut off', page('9', '5', '6').slice(0, -30)],
  ['a JSON array', '[]'],
])('%s instead of a list is an error and removes no objects', async (_, answer) => {
  const world = await createLister([page('7', '5', '6'), answer])
  await world.list()
  world.watched.forgetRevision()
  await expect(world.list()).rejects.toMatchObject({ code: 'NETWORK_PROTOCOL_ERROR' })
  expect(world.changes).toEqual(['added x/n0@5', 'added x/n1@6'])
  expect(world.watched.revision).toBeUndefined()
})

test('a list without objects removes all objects', async () => {
  const empty = '{"metadata":{"resourceVersion":"9"},"items":null}'
  const world = await createLister([page('7', '5'), empty])
  await world.list()
  await world.list()
  expect(world.changes).toEqual(['added x/n0@5', 'removed x/n0@5'])
})

test('reports a revision that went back, and accepts the older state with the next list', async () => {
  const world = await createLister([page('100', '90', '95'), page('60', '50'), page('60', '50')])
  await world.list()
  world.watched.forgetRevision()
  await expect(world.list()).rejects.toThrow('revision went back from 100 to 60')
  await world.list()
  expect(world.changes.slice(2)).toEqual(['changed x/n0@50', 'removed x/n1@95'])
  expect(world.watched.revision).toBe('60')
})
