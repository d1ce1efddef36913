import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Secret } from 'setpoint/kinds'
import { isJsonObject, type JsonValue } from 'setpoint/schema'
import { external } from '../../src/external/external.ts'
import type { ProcessContext } from '../../src/index.ts'
import { callExternal } from '../support/call-external.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { addFinalizer, removeFinalizer } from '../support/finalizer.ts'
import { childMetadata } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus } from '../support/status.ts'
import type { NoAlarm } from './no-alarm.ts'

const Database = defineResource({
  group: 'databases.example.com',
  version: 'v1',
  kind: 'Database',
  spec: z.object({ cpus: z.int32().min(1).default(2) }),
  conditions: ['Ready'],
})
type Database = InferResource<typeof Database>

const origin = 'http://cloud.external'
const finalizer = 'databases.example.com/instance'
const createMs = 600_000
const pollMs = 30_000

/** A cloud that needs ten minutes for an instance. A `PUT` can be repeated. */
const cloud = external({
  name: 'cloud',
  origin,
  initial: {},
  handle: ({ method, path, body }, state, { nowMs }) => {
    const present = state[path]
    if (method === 'DELETE') Reflect.deleteProperty(state, path)
    if (method === 'PUT') {
      const readyMs = isJsonObject(present) ? (present['readyMs'] ?? 0) : nowMs + createMs
      state[path] = { cpus: body ?? null, readyMs }
    }
    if (method !== 'GET') return { status: 200 }
    if (!isJsonObject(present)) return { status: 404 }
    const isReady = Number(present['readyMs']) <= nowMs
    return { status: 200, body: { cpus: present['cpus'] ?? null, isReady } }
  },
  resources: (state) =>
    Object.fromEntries(Object.entries(state).map(([key, one]) => [key, cpusOf(one)])),
})

function cpusOf(instance: JsonValue | undefined): JsonValue {
  return isJsonObject(instance) ? (instance['cpus'] ?? null) : null
}

const program = (process: ProcessContext) =>
  startController({
    ...process,
    for: Database,
    owns: [Secret],
    reconcile: async (key, tools) => {
      const object = await tools.client.find(Database, key)
      if (object === undefined) return {}
      if (object.metadata.deletionTimestamp !== undefined) {
        const request = { method: 'DELETE', url: urlOf(object) } as const
        const { status } = await callExternal(process.host, request)
        if (status !== 200) return { requeueAfterMs: pollMs }
        await removeFinalizer(tools.client, Database, { object, name: finalizer })
        return {}
      }
      const database = await addFinalizer(tools.client, Database, { object, name: finalizer })
      const isReady = await ensureInstance(tools, database)
      if (isReady) {
        const metadata = childMetadata(Database, database, `${key.name}-connection`)
        await createOrUpdate(tools, Secret, { metadata, data: { url: btoa(urlOf(database)) } })
      }
      const reason = isReady ? 'Running' : 'Creating'
      const message = isReady ? 'the instance runs' : 'the cloud creates the instance'
      await setStatus(tools, Database, { object: database, isReady, reason, message })
      return isReady ? {} : { requeueAfterMs: pollMs }
    },
  })

/** Requests the instance; returns whether it is as desired and runs. */
async function ensureInstance({ host }: Tools, database: Database): Promise<boolean> {
  const { cpus } = database.spec
  const { status, body } = await callExternal(host, { method: 'GET', url: urlOf(database) })
  if (status === 404 || cpusOf(body) !== cpus) {
    await callExternal(host, { method: 'PUT', url: urlOf(database), body: cpus })
    return false
  }
  return isJsonObject(body) && body['isReady'] === true
}

/** The uid makes the request unique: it is never repeated for another object of the same name. */
function urlOf({ metadata: { uid } }: Database): string {
  return `${origin}/instances/${uid}`
}

export const slowExternalSystem: NoAlarm = {
  id: 'N08',
  summary: 'An external system needs ten minutes, in which nothing changes in the cluster.',
  resource: Database,
  sample: { metadata: { name: 'oak' }, spec: { cpus: 2 } },
  program,
  options: { externals: [cloud] },
}
