import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Pod, StatefulSet } from 'setpoint/kinds'
import { isJsonObject } from 'setpoint/schema'
import { external } from '../../src/external/external.ts'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { callExternal } from '../support/call-external.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { appKeys, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'

const CassandraDatacenter = defineResource({
  group: 'cassandra.example.com',
  version: 'v1beta1',
  kind: 'CassandraDatacenter',
  spec: z.object({ size: z.int32().min(0).default(2) }),
  conditions: ['Ready'],
})
type CassandraDatacenter = InferResource<typeof CassandraDatacenter>

const origin = 'http://management.external'
const bootMs = 8000

/** The management API of the pods: Cassandra runs a while after it was started. */
const managementApi = external({
  name: 'management-api',
  origin,
  initial: {},
  handle: ({ method, path }, state, { nowMs }) => {
    if (method === 'POST') {
      state[path] ??= { startedMs: nowMs }
      return { status: 202 }
    }
    const node = state[path]
    if (!isJsonObject(node)) return { status: 200, body: { state: 'stopped' } }
    const isRunning = Number(node['startedMs']) + bootMs <= nowMs
    return { status: 200, body: { state: isRunning ? 'running' : 'booting' } }
  },
  // The processes end with their pods.
  resources: () => ({}),
})

const stateLabel = 'cassandra.example.com/node-state'

/** What happens to a pod that is labelled `Starting` and on which Cassandra does not run. */
type Restart = (tools: Tools, pod: Pod) => Promise<void>

/** It was started when it got the label. */
const skip: Restart = async () => undefined

/** The fix: the command is sent again, as often as Cassandra is found stopped. */
export const startAgain: Restart = async (tools, pod) => startNode(tools, pod)

interface Options {
  /** When nodes that are starting are checked again. */
  readonly pollMs?: number | undefined
}

/** The operator of M07. */
export const operatorWith =
  (restart: Restart, { pollMs }: Options = { pollMs: 5000 }) =>
  (process: ProcessContext) =>
    startController({
      ...process,
      for: CassandraDatacenter,
      owns: [StatefulSet],
      watches: [{ kind: Pod, keysOf: appKeys }],
      reconcile: async (key, tools) => {
        const datacenter = await tools.client.find(CassandraDatacenter, key)
        if (datacenter === undefined || datacenter.metadata.deletionTimestamp !== undefined)
          return {}
        const { size: replicas } = datacenter.spec
        const manifest = memberSet(CassandraDatacenter, datacenter, { replicas })
        const set = await createOrUpdate(tools, StatefulSet, manifest)
        const { started, pods } = await startNodes(tools, datacenter, restart)
        const isReady = StatefulSet.isRolledOut(set) && started === replicas && pods === replicas
        const message = isReady ? 'all nodes are started' : 'nodes are starting'
        const verdict = isReady ? verdictOfSet(set) : { isReady, reason: 'Starting', message }
        await setStatus(tools, CassandraDatacenter, { object: datacenter, ...verdict })
        return isReady ? {} : { requeueAfterMs: pollMs }
      },
    })

/** Starts Cassandra on ready pods; returns how many pods there are, and on how many it runs. */
async function startNodes(tools: Tools, { metadata }: CassandraDatacenter, restart: Restart) {
  const { namespace, name } = metadata
  let started = 0
  const pods = tools.cache.list(Pod, { namespace, labels: { app: name } })
  for (const pod of pods) {
    if (!Pod.isReady(pod)) continue
    const state = pod.metadata.labels?.[stateLabel]
    if (state === undefined) {
      await label(tools, pod, 'Starting')
      await startNode(tools, pod)
    } else if (state === 'Starting') {
      const { body } = await callExternal(tools.host, { method: 'GET', url: urlOf(pod) })
      const found = isJsonObject(body) ? body['state'] : undefined
      if (found === 'running') await label(tools, pod, 'Started')
      else if (found === 'stopped') await restart(tools, pod)
    } else started += 1
  }
  return { started, pods: pods.length }
}

async function label({ client }: Tools, { metadata }: Pod, state: string): Promise<void> {
  const { uid, resourceVersion } = metadata
  await client.patch(Pod, metadata, {
    merge: { metadata: { uid, resourceVersion, labels: { [stateLabel]: state } } },
  })
}

async function startNode({ host }: Tools, pod: Pod): Promise<void> {
  await callExternal(host, { method: 'POST', url: urlOf(pod) })
}

function urlOf({ metadata: { name, uid } }: Pod): string {
  return `${origin}/nodes/${name}/${uid}`
}

export const startOnce: Model = {
  id: 'M07',
  from: 'K8SSAND-1362',
  summary: 'A pod is labelled Starting before it is started, and one with that label is skipped.',
  resource: CassandraDatacenter,
  sample: { metadata: { name: 'oak' }, spec: { size: 2 } },
  program: operatorWith(skip),
  twin: operatorWith(startAgain),
  mustFire: ['O1'],
  options: { externals: [managementApi] },
}
