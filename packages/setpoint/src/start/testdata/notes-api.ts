import * as z from 'zod'
import { RefuseRequestError, type ServedObject, serveResource } from '../../aggregated-api/index.ts'
import { defineResource } from '../../definition/index.ts'
import { serveApi } from '../../operator/index.ts'

/** A resource of an aggregated API, for tests. */
export const Note = defineResource({
  group: 'notes.example.com',
  version: 'v1',
  kind: 'Note',
  shortNames: ['nt'],
  spec: z.object({ text: z.string().max(20), stars: z.int32().min(0).default(1) }),
  columns: { Text: '.spec.text', Stars: { jsonPath: '.spec.stars', priority: 1 } },
})

type NoteObject = ServedObject<typeof Note>
interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: NoteObject
}

/** An aggregated API that keeps its objects in memory, and what its functions received. */
export function notesApi() {
  const notes = new Map<string, NoteObject>()
  const watchers = new Set<(change: Change) => void>()
  const users: string[] = []
  let endedWatches = 0
  const publish = (type: Change['type'], object: NoteObject): void => {
    if (type === 'DELETED') notes.delete(keyOf(object))
    else notes.set(keyOf(object), object)
    for (const send of watchers) send({ type, object })
  }
  async function* watch(signal: AbortSignal): AsyncGenerator<Change> {
    const waiting: Change[] = []
    let wake = (): void => undefined
    const send = (change: Change): void => {
      waiting.push(change)
      wake()
    }
    watchers.add(send)
    signal.addEventListener('abort', () => wake())
    try {
      while (!signal.aborted) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      endedWatches += 1
      watchers.delete(send)
    }
  }
  const api = serveApi({
    resources: [
      serveResource(Note, {
        get: ({ name, namespace, user }) => {
          users.push(user.username)
          if (name === 'broken') throw new TypeError('no database')
          if (name === 'busy') {
            throw new RefuseRequestError('TooManyRequests', 'later', { retryAfter: '7s' })
          }
          if (name === 'secret') throw new RefuseRequestError('Forbidden', 'it is secret')
          if (name === 'slow') return new Promise(() => undefined)
          return notes.get(`${namespace}/${name}`)
        },
        list: () => [...notes.values()],
        watch: ({ signal }) => watch(signal),
        create: (note, { dryRun }) => {
          if (!dryRun) publish('ADDED', note)
        },
        update: (note, { dryRun, old }) => {
          const generation = (old.metadata.generation ?? 0) + 1
          const next = { ...note, metadata: { ...note.metadata, generation } }
          if (!dryRun) publish('MODIFIED', next)
          return next
        },
        delete: (note, { dryRun }) => {
          if (!dryRun) publish('DELETED', note)
        },
      }),
    ],
  })
  return { api, notes, users, endedWatches: () => endedWatches }
}

function keyOf({ metadata: { namespace = '', name } }: NoteObject): string {
  return `${namespace}/${name}`
}
