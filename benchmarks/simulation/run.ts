/**
 * `npm run bench:simulation`: what a simulated run costs. Compare rows of one run with each other,
 * not different runs; on a busy machine compare CPU times. Options: `--seconds 10` for each row, `--only plan`, `--worlds 2000` to see
 * whether memory grows. For a CPU profile, add
 * `--cpu-prof` to the command in package.json.
 */
import { parseArgs } from 'node:util'
import { commitNow, machineText } from '../machine.ts'
import { table } from '../table.ts'
import { checkpointsOf, openWorld, runPlan, type Subject } from './plan.ts'
import { Application } from '../../operators/01-application/application.ts'
import application from '../../operators/01-application/operator.ts'
import { ElevenStApp } from '../../operators/02-elevenst-app/elevenst-app.ts'
import elevenstApp from '../../operators/02-elevenst-app/operator.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    worlds: { type: 'string', default: '0' },
  },
})

const subjects: readonly Subject[] = [
  {
    name: '01-application',
    operator: application,
    definition: Application,
    spec: { image: 'nginx', port: 80 },
    changed: { image: 'nginx', port: 80, replicas: 2 },
  },
  {
    name: '02-elevenst-app',
    operator: elevenstApp,
    definition: ElevenStApp,
    spec: { image: 'nginx' },
    changed: { image: 'nginx', replicas: 2 },
  },
]

/** The cost of one run in milliseconds: of time, and of all threads of the process. */
interface Cost {
  readonly ms: number
  readonly cpuMs: number
}

/** Repeats a run until the time is over, after a warm-up. */
async function costOf(run: (seed: string) => Promise<unknown>): Promise<Cost> {
  const limitMs = Number(values.seconds) * 1000
  for (let round = 0; round < 20; round += 1) await run(`warm ${round}`)
  const [startMs, startCpu] = [performance.now(), process.cpuUsage()]
  let count = 0
  for (; performance.now() - startMs < limitMs; count += 1) await run(`seed ${count}`)
  const { user, system } = process.cpuUsage(startCpu)
  return { ms: (performance.now() - startMs) / count, cpuMs: (user + system) / 1000 / count }
}

async function openAndDispose(seed: string, from: Parameters<typeof openWorld>[1]): Promise<void> {
  await using _ = await openWorld(seed, from)
}

const rows: (readonly (string | number)[])[] = []
async function measure(what: string, run: (seed: string) => Promise<unknown>): Promise<void> {
  if (!what.includes(values.only)) return
  const { ms, cpuMs } = await costOf(run)
  rows.push([what, Number(ms.toFixed(1)), Number(cpuMs.toFixed(1)), Number((1000 / ms).toFixed(1))])
}

function heapMiB(): number {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / 1024 / 1024)
}

async function measureMemory(subject: Subject): Promise<void> {
  const count = Number(values.worlds)
  if (count === 0) return
  const [, ready] = await checkpointsOf(subject)
  const heaps: string[] = []
  for (let world = 0; world <= count; world += 1) {
    if (world % Math.ceil(count / 8) === 0) heaps.push(`${world}: ${heapMiB()}`)
    await openAndDispose(`memory ${world}`, ready)
  }
  console.log(`heap in MiB after worlds (run with --expose-gc): ${heaps.join(', ')}\n`)
}

await measure('fresh cluster, dispose', (seed) => openAndDispose(seed, undefined))
for (const subject of subjects) {
  const [empty, ready] = await checkpointsOf(subject)
  const { name } = subject
  await measure(`${name}: cluster from snapshot, dispose`, (seed) => openAndDispose(seed, ready))
  await measure(`${name}: plan, a user creates`, (seed) => runPlan(subject, empty, seed))
  await measure(`${name}: plan, a user changes`, (seed) => runPlan(subject, ready, seed))
}
console.log(table(['run', 'ms', 'CPU ms', 'runs/s'], rows))
console.log(`\nCommit ${commitNow()}, ${machineText()}, Node ${process.version}.\n`)
const [first] = subjects
if (first !== undefined) await measureMemory(first)
