/**
 * Regression test: after a definition had changed, watches kept its old schema and shared it with
 * new watches.
 */
import { virtualHost } from 'setpoint/host'
import { CustomResourceDefinition, defineKind } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { createCluster } from './index.ts'

interface Note {
  readonly apiVersion: 'example.com/v1'
  readonly kind: 'Note'
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly resourceVersion: string
  }
  readonly spec: { readonly text?: string; readonly title?: string }
}

const Note = defineKind<Note>({
  apiVersion: 'example.com/v1',
  kind: 'Note',
  plural: 'notes',
  singular: 'note',
  shortNames: [],
  scope: 'Namespaced',
  subresources: [],
})

const definition = (fields: readonly string[], labels: Record<string, string> = {}): never =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'notes.example.com', labels },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Note', plural: 'notes' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
                },
              },
            },
          },
        },
      ],
    },
  }) as never

test('ends a watch when the schema of its definition changes, and serves new watches with the new schema', async () => {
  using host = virtualHost({ seed: 1 })
  await using cluster = await createCluster({ host, workloads: 'off' })
  const { client } = cluster
  await client.apply(CustomResourceDefinition, definition(['text']))
  const before = client.watch(Note, { namespace: 'default' })
  const created = await client.create(Note, {
    metadata: { name: 'a' },
    spec: { text: 'x' },
  })
  expect((await before.next()).value).toMatchObject({ type: 'ADDED' })
  // A change of labels does not affect watches.
  await client.apply(CustomResourceDefinition, definition(['text'], { team: 'a' }))
  await client.patch(Note, 'a', { merge: { spec: { text: 'y' } } })
  expect((await before.next()).value).toMatchObject({ object: { spec: { text: 'y' } } })

  await client.apply(CustomResourceDefinition, definition(['text', 'title'], { team: 'a' }))
  const { resourceVersion } = created.metadata
  const after = client.watch(Note, { namespace: 'default', resourceVersion })
  await client.patch(Note, 'a', { merge: { spec: { title: 'z' } } })
  expect((await before.next()).done).toBe(true)
  await after.next()
  expect((await after.next()).value).toMatchObject({ object: { spec: { text: 'y', title: 'z' } } })
  await after.return()
})

test('refuses new objects of a terminating definition, and removes it after its last object', async () => {
  using host = virtualHost({ seed: 1 })
  await using cluster = await createCluster({ host, workloads: 'off' })
  const { client } = cluster
  await client.apply(CustomResourceDefinition, definition(['text']))
  const metadata = { name: 'a', finalizers: ['example.com/x'] }
  await client.create(Note, { metadata, spec: {} })
  const watch = client.watch(Note, { namespace: 'default' })
  await watch.next()
  await client.delete(CustomResourceDefinition, 'notes.example.com')
  // Existing watches continue.
  expect((await watch.next()).value).toMatchObject({ type: 'MODIFIED' })
  await expect(client.create(Note, { metadata: { name: 'b' }, spec: {} })).rejects.toThrow(
    'create not allowed while custom resource definition is terminating',
  )
  await client.patch(Note, 'a', { merge: { metadata: { finalizers: null } } })
  expect((await watch.next()).value).toMatchObject({ type: 'DELETED' })
  await host.sleep(1000)
  expect(await client.find(CustomResourceDefinition, 'notes.example.com')).toBeUndefined()
  await watch.return()
})
