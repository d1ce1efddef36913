import { expect } from 'vitest'
import * as z from 'zod'
import { defineResource, RefuseRequestError, serveApi, serveResource } from 'setpoint'
import { APIService, ConfigMap } from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'

inEveryWorld('users read, watch and write an aggregated API like any resource', async (world) => {
  const { client, namespace, group } = world
  const Note = defineResource({
    group: `notes.${group}`,
    version: 'v1',
    kind: 'Note',
    spec: z.object({ text: z.string(), priority: z.int32().default(1) }),
    columns: { Text: '.spec.text' },
  })
  // The database of the author.
  const notes = new Map<string, { readonly text: string; readonly priority: number }>()
  const shown = (name: string, spec: { readonly text: string; readonly priority: number }) => ({
    metadata: { name, namespace },
    spec,
  })
  const api = serveApi({
    reads: [ConfigMap],
    resources: [
      serveResource(Note, {
        get: ({ name }) => {
          const spec = notes.get(name)
          return spec === undefined ? undefined : shown(name, spec)
        },
        list: () => [...notes].map(([name, spec]) => shown(name, spec)),
        watch: async function* ({ sleep, signal }) {
          const seen = new Set(notes.keys())
          while (!signal.aborted) {
            await sleep('100ms')
            for (const [name, spec] of notes) {
              if (seen.has(name)) continue
              seen.add(name)
              yield { type: 'ADDED', object: shown(name, spec) }
            }
          }
        },
        create: ({ metadata, spec }, { dryRun }) => {
          if (spec.text === '') throw new RefuseRequestError('Forbidden', 'an empty note')
          if (!dryRun) notes.set(metadata.name, spec)
        },
        delete: (object, { dryRun }) => {
          if (!dryRun) notes.delete(object.metadata.name)
        },
      }),
    ],
  })
  const process = await world.start([api], { install: true, webhooks: {} })
  const apiService = `v1.notes.${group}`
  await world.eventually(async () => {
    const { status } = await client.get(APIService, apiService)
    expect(status?.conditions).toMatchObject([{ type: 'Available', status: 'True' }])
  })
  const note = (name: string, text: string) => ({ metadata: { name, namespace }, spec: { text } })
  const created = await client.create(Note, note('a', 'buy milk'))
  expect(created.spec).toEqual({ text: 'buy milk', priority: 1 })
  await client.create(Note, note('b', 'dry run'), { dryRun: true })
  const [found, ...others] = await client.listAll(Note, { namespace })
  expect([found?.metadata.name, others]).toEqual(['a', []])
  await expect(client.create(Note, note('c', ''))).rejects.toThrow('an empty note')
  await expect(
    client.create(Note, { ...note('d', 'x'), spec: { text: 1 } } as never),
  ).rejects.toThrow('spec.text')
  const watching = (async () => {
    for await (const event of client.watch(Note, { namespace })) {
      if (event.type !== 'ADDED' || event.object.metadata.name !== 'late') continue
      return event.object.spec.text
    }
    return undefined
  })()
  await client.create(Note, note('late', 'call back'))
  expect(await watching).toBe('call back')
  const table = await client.transport.text({
    method: 'GET',
    path: `/apis/notes.${group}/v1/namespaces/${namespace}/notes`,
    what: 'table of notes',
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  })
  expect(JSON.parse(table)).toMatchObject({
    columnDefinitions: [{ name: 'Name' }, { name: 'Text' }, { name: 'Age' }],
    rows: [
      { cells: ['a', 'buy milk', expect.anything()] },
      { cells: ['late', 'call back', expect.anything()] },
    ],
  })
  await client.delete(Note, { namespace, name: 'a' })
  expect([...notes.keys()]).toEqual(['late'])
  await process.stop()
  await client.delete(APIService, apiService)
})
