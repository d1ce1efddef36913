import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import type { Host } from 'setpoint/host'
import { StatefulSet } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import { external } from '../../src/external/external.ts'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { callExternal, type ExternalCall } from '../support/call-external.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { addFinalizer, removeFinalizer } from '../support/finalizer.ts'
import { memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'

const ZookeeperCluster = defineResource({
  group: 'zookeeper.example.com',
  version: 'v1beta1',
  kind: 'ZookeeperCluster',
  spec: z.object({ replicas: z.int32().min(0).default(2) }),
  conditions: ['Ready'],
})
type ZookeeperCluster = InferResource<typeof ZookeeperCluster>

const origin = 'http://zookeeper.external'
const finalizer = 'zookeeper.example.com/nodes'

/** A tree of nodes with values: a node needs its parent, and cannot be created twice. */
const zookeeper = external({
  name: 'zookeeper',
  origin,
  initial: {},
  handle: ({ method, path, body = null }, state) => {
    const parent = path.slice(0, path.lastIndexOf('/'))
    const value = state[path]
    if (method === 'GET') {
      return value === undefined ? { status: 404 } : { status: 200, body: value }
    }
    if (method === 'POST' && value !== undefined) return { status: 409 }
    if (method === 'POST' && parent !== '' && !(parent in state)) return { status: 404 }
    if (method === 'PUT' && value === undefined) return { status: 404 }
    if (method === 'DELETE') removeNode(state, path)
    else state[path] = body
    return { status: 200 }
  },
  resources: (state) => state,
})

function removeNode(state: JsonObject, path: string): void {
  for (const key of Object.keys(state)) {
    if (key === path || key.startsWith(`${path}/`)) Reflect.deleteProperty(state, key)
  }
}

interface Options {
  /** Whether it is a failure that the parent exists. */
  readonly parentMustBeNew: boolean
  /** Whether a finalizer waits for the removal of the external nodes. */
  readonly usesFinalizer?: boolean
  /** Whether the finalizer is removed before the external nodes. */
  readonly releasesFirst?: boolean
}

/** The operator of M08. */
export const operatorWith =
  ({ usesFinalizer = true, ...options }: Options) =>
  (process: ProcessContext) =>
    startController({
      ...process,
      for: ZookeeperCluster,
      owns: [StatefulSet],
      reconcile: async (key, tools) => {
        const object = await tools.client.find(ZookeeperCluster, key)
        if (object === undefined) return
        if (object.metadata.deletionTimestamp !== undefined) {
          await release(tools, object, options)
          return
        }
        const cluster = usesFinalizer
          ? await addFinalizer(tools.client, ZookeeperCluster, { object, name: finalizer })
          : object
        const { replicas } = cluster.spec
        const manifest = memberSet(ZookeeperCluster, cluster, { replicas })
        const set = await createOrUpdate(tools, StatefulSet, manifest)
        await publishSize(process.host, cluster, options)
        await setStatus(tools, ZookeeperCluster, { object: cluster, ...verdictOfSet(set) })
      },
    })

/** Removes the external nodes of a deleted cluster. */
async function release({ host, client }: Tools, object: ZookeeperCluster, options: Options) {
  const remove = () => call(host, { method: 'DELETE', url: parentOf(object) })
  if (options.releasesFirst !== true) await remove()
  await removeFinalizer(client, ZookeeperCluster, { object, name: finalizer })
  if (options.releasesFirst === true) await remove()
}

/** Publishes the size of a cluster in a node below its own one. */
async function publishSize(host: Host, cluster: ZookeeperCluster, { parentMustBeNew }: Options) {
  const parent = parentOf(cluster)
  const child = `${parent}/size`
  const { replicas: body } = cluster.spec
  const present = await callExternal(host, { method: 'GET', url: child })
  if (present.status === 404) {
    const { status } = await callExternal(host, { method: 'POST', url: parent, body: '' })
    if (status === 409 && parentMustBeNew) throw new Error('the node of the cluster exists already')
    await call(host, { method: 'POST', url: child, body })
  } else if (present.body !== body) await call(host, { method: 'PUT', url: child, body })
}

async function call(host: Host, request: ExternalCall): Promise<void> {
  const { status } = await callExternal(host, request)
  if (status >= 400) throw new Error(`${request.method} ${request.url} was answered with ${status}`)
}

function parentOf({ metadata: { namespace, name, uid } }: ZookeeperCluster): string {
  return `${origin}/${namespace}.${name}.${uid}`
}

export const parentExists: Model = {
  id: 'M08',
  from: 'Anvil (a)',
  summary: 'An external parent is created before its child, and a parent that exists is a failure.',
  resource: ZookeeperCluster,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 2 } },
  program: operatorWith({ parentMustBeNew: true }),
  twin: operatorWith({ parentMustBeNew: false }),
  mustFire: ['O1', 'O18'],
  options: { externals: [zookeeper] },
}
