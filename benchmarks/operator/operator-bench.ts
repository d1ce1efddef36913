import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send, sendMany } from '../apiserver/load.ts'
import { type AuditedPlane, startAuditedPlane } from './audited-plane.ts'
import { MeasuredProgram } from './measured-program.ts'
import { Observer } from './observer.ts'
import { type Figures, summaryOf, type PhaseSetup } from './phase-cost.ts'
import { burst, cold, drift, latency, restart } from './phases.ts'
import type { BuiltProgram } from './programs.ts'
import { Application } from './setpoint/application.ts'

const phases = { cold, restart, latency, burst, drift }

/** The phases of an operator, in their order. */
export const operatorPhases = Object.keys(phases)

/** The options of the operator benchmark. */
interface OperatorBenchOptions {
  readonly objects: number
  readonly samples: number
  readonly only: readonly string[]
  readonly folder: string
  readonly timeoutMs: number
  /** Rejects when the user interrupts the run: everything that was started is then stopped. */
  readonly interrupted: Promise<never>
  readonly print: (text: string) => void
}

/**
 * Measures one operator on its own control plane. Every phase begins where the previous one ended.
 */
export async function benchOperator(
  program: BuiltProgram,
  options: OperatorBenchOptions,
): Promise<{ readonly figures: Figures; readonly version: string }> {
  const { objects, samples, folder, timeoutMs, print } = options
  await using plane = await startAuditedPlane()
  await installDefinition(plane)
  const keys = await createApplications(plane, objects)
  using observer = new Observer()
  await observer.open(plane)
  const env = { KUBECONFIG: plane.programKubeconfig }
  const logPath = join(folder, `${program.name}-operator.log`)
  await using operator = new MeasuredProgram(program.operator, env, logPath)
  const setup: PhaseSetup = { plane, observer, operator, keys, samples, timeoutMs }
  const figures: Record<string, number> = {}
  for (const [name, phase] of Object.entries(phases)) {
    // All other phases depend on the result of the cold start.
    if (name !== 'cold' && !options.only.includes(name)) continue
    const found = await Promise.race([phase(setup), operator.failed, options.interrupted])
    if (options.only.includes(name)) Object.assign(figures, found)
    print(`${program.name} ${name}: ${summaryOf(found)}`)
  }
  return { figures, version: plane.version }
}

async function installDefinition(plane: AuditedPlane): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await sendMany(plane, 1, () => ({ method: 'POST', path, body: Application.crd() }))
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const served = '/apis/bench.example.com/v1/applications'
    if ((await send(plane, { method: 'GET', path: served })).code === 200) return
    await sleep(100)
  }
  throw new Error('the CRD is not served')
}

const namespaceCount = 20

async function createApplications(plane: AuditedPlane, count: number): Promise<string[]> {
  await sendMany(plane, namespaceCount, (index) => ({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: `bench-${index}` } },
  }))
  const keys = Array.from({ length: count }, (_, at) => `bench-${at % namespaceCount}/app-${at}`)
  await sendMany(plane, count, (index) => {
    const [namespace = '', name = ''] = (keys[index] ?? '').split('/')
    return {
      method: 'POST',
      path: `/apis/bench.example.com/v1/namespaces/${namespace}/applications`,
      body: {
        apiVersion: 'bench.example.com/v1',
        kind: 'Application',
        metadata: { name },
        spec: { image: 'example.com/app:1', replicas: 1 + (index % 3), port: 8080 },
      },
    }
  })
  return keys
}
