import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, send, sendMany } from '../apiserver/load.ts'
import type { Observer } from './observer.ts'
import { costOf, type Figures, type PhaseSetup } from './phase-cost.ts'
import { residentMiB } from './process-usage.ts'

/**
 * All objects exist and the operator starts: until every object has its children and its status.
 */
export async function cold(setup: PhaseSetup): Promise<Figures> {
  const { observer, operator, keys, timeoutMs } = setup
  const run = async (): Promise<number> => {
    operator.start()
    return observer.until(keys, (key) => observer.isReconciled(key), timeoutMs)
  }
  const cost = await costOf(setup, run, { isStarted: true })
  return {
    'cold: time until all are reconciled (s)': cost.seconds,
    'cold: CPU (s)': cost.cpu,
    'cold: peak RSS (MiB)': residentMiB(operator.pid).peak,
    'cold: requests': cost.requests.all,
    'cold: conflicts': cost.requests.conflicts,
    'cold: API server CPU (s)': cost.apiServerCpu,
    'cold: CPU of other programs (s)': cost.othersCpu,
  }
}

/** The cost of a restart when nothing has to change. */
export async function restart(setup: PhaseSetup): Promise<Figures> {
  const { operator, plane } = setup
  await operator.stop()
  const run = async (): Promise<number> => {
    operator.start()
    return performance.now()
  }
  const hasStarted = (): boolean =>
    plane.audit.hasWatched(['applications', 'deployments', 'services'])
  const cost = await costOf(setup, run, { isStarted: true, hasStarted })
  return {
    'restart: until quiet (s)': cost.secondsUntilIdle,
    'restart: CPU (s)': cost.cpu,
    'restart: requests': cost.requests.all,
    'restart: writes': cost.requests.writes,
    'restart: CPU of other programs (s)': cost.othersCpu,
  }
}

/** Single changes, one at a time, with an idle operator. */
export async function latency(setup: PhaseSetup): Promise<Figures> {
  const { observer, samples, timeoutMs } = setup
  const childMs: number[] = []
  const statusMs: number[] = []
  const run = async (): Promise<number> => {
    for (const key of pick(setup, samples)) {
      const replicas = nextReplicas(observer, key)
      const hasReplicas = (): boolean => observer.deployments.get(key)?.spec.replicas === replicas
      const changed = observer.until([key], hasReplicas, timeoutMs)
      const answeredMs = await sendCall(setup, patchOf(key, replicas), changed)
      childMs.push((await changed) - answeredMs)
      const isReconciled = (): boolean => hasReplicas() && observer.isReconciled(key)
      statusMs.push((await observer.until([key], isReconciled, timeoutMs)) - answeredMs)
      await sleep(pauseMs)
    }
    return performance.now()
  }
  await costOf(setup, run)
  return {
    'latency: Deployment changed, p50 (ms)': percentile(childMs, 0.5),
    'latency: Deployment changed, p95 (ms)': percentile(childMs, 0.95),
    'latency: Deployment changed, p99 (ms)': percentile(childMs, 0.99),
    'latency: status written, p50 (ms)': percentile(statusMs, 0.5),
  }
}

/** All objects are changed together. */
export async function burst(setup: PhaseSetup): Promise<Figures> {
  const { observer, plane, keys, timeoutMs } = setup
  const desired = new Map(keys.map((key) => [key, nextReplicas(observer, key)]))
  const hasReplicas = (key: string): boolean =>
    observer.deployments.get(key)?.spec.replicas === desired.get(key) && observer.isReconciled(key)
  const cost = await costOf(setup, async () => {
    const all = observer.until(keys, hasReplicas, timeoutMs)
    const patches = sendMany(plane, keys.length, (index) => {
      const key = keys[index] ?? ''
      return patchOf(key, desired.get(key) ?? 0)
    })
    const [endMs] = await Promise.all([all, patches])
    return endMs
  })
  return {
    'burst: time until all are reconciled (s)': cost.seconds,
    'burst: CPU (s)': cost.cpu,
    'burst: requests': cost.requests.all,
    'burst: conflicts': cost.requests.conflicts,
    'burst: API server CPU (s)': cost.apiServerCpu,
    'burst: CPU of other programs (s)': cost.othersCpu,
  }
}

/** Another client changes or deletes a child. */
export async function drift(setup: PhaseSetup): Promise<Figures> {
  const { observer, operator, samples, timeoutMs } = setup
  const changedKeys = pick(setup, Math.ceil(samples / 2))
  const serviceMs: number[] = []
  const deploymentMs: number[] = []
  const run = async (): Promise<number> => {
    for (const key of changedKeys) {
      // The watch shows every state: broken first, then repaired.
      let wasBroken = false
      const repaired = observer.until(
        [key],
        () => {
          const isRepaired = observer.isReconciled(key)
          wasBroken ||= !isRepaired
          return wasBroken && isRepaired
        },
        timeoutMs,
      )
      const broken = { spec: { ports: [{ port: 9999, targetPort: 9999, protocol: 'TCP' }] } }
      const call = { method: 'PATCH', path: childPath(key, 'services'), body: broken, type: merge }
      serviceMs.push(-(await sendCall(setup, call, repaired)) + (await repaired))
      await sleep(pauseMs)
    }
    for (const key of changedKeys) {
      const uid = observer.deployments.get(key)?.metadata.uid
      const isRecreated = (): boolean =>
        observer.isReconciled(key) && observer.deployments.get(key)?.metadata.uid !== uid
      const back = observer.until([key], isRecreated, timeoutMs)
      const call = { method: 'DELETE', path: childPath(key, 'deployments') }
      deploymentMs.push(-(await sendCall(setup, call, back)) + (await back))
      await sleep(pauseMs)
    }
    return performance.now()
  }
  const { requests } = await costOf(setup, run)
  return {
    "drift: time to restore a Service's port, p50 (ms)": percentile(serviceMs, 0.5),
    "drift: time to restore a Service's port, p95 (ms)": percentile(serviceMs, 0.95),
    'drift: time to recreate a Deployment, p50 (ms)': percentile(deploymentMs, 0.5),
    'drift: time to recreate a Deployment, p95 (ms)': percentile(deploymentMs, 0.95),
    'drift: requests': requests.all,
    'at the end: RSS (MiB)': residentMiB(operator.pid).now,
    'at the end: peak RSS since the restart (MiB)': residentMiB(operator.pid).peak,
  }
}

const merge = 'application/merge-patch+json'

/**
 * The reconciles that a change causes end within this time; the next change meets an idle operator.
 */
const pauseMs = 20

/**
 * Sends a call and returns when it was answered. A goal that fails meanwhile rejects where it is
 * awaited.
 */
async function sendCall({ plane }: PhaseSetup, call: Call, goal: Promise<number>): Promise<number> {
  goal.catch(() => undefined)
  const { code, text } = await send(plane, call)
  if (code >= 300) throw new Error(`${call.method} ${call.path}: ${code} ${text}`)
  return performance.now()
}

function patchOf(key: string, replicas: number): Call {
  const [namespace = '', name = ''] = key.split('/')
  const path = `/apis/bench.example.com/v1/namespaces/${namespace}/applications/${name}`
  return { method: 'PATCH', path, body: { spec: { replicas } }, type: merge }
}

function childPath(key: string, plural: 'deployments' | 'services'): string {
  const [namespace = '', name = ''] = key.split('/')
  const prefix = plural === 'services' ? '/api/v1' : '/apis/apps/v1'
  return `${prefix}/namespaces/${namespace}/${plural}/${name}`
}

function nextReplicas({ applications }: Observer, key: string): number {
  return ((applications.get(key)?.spec.replicas ?? 0) % 9) + 1
}

/** The same objects for every program, spread over all of them. */
function pick({ keys }: PhaseSetup, count: number): string[] {
  const step = 7919
  return Array.from({ length: count }, (_, index) => keys[(index * step) % keys.length] ?? '')
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}
