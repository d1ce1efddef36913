/**
 * `npm run bench:sim`: the benchmark Setpoint-30. It simulates 30 historical bugs of operators, each
 * with its fix, correct operators that do unusual things, and 20 mutations of the fixes.
 *
 *   --only M01,M02          some programs
 *   --types bug,fixed       some types: bug, fixed, correct, mutant
 *   --budget 60s            real time for each program; that of the tier ci by default
 *   --processes 2           how many programs are simulated at the same time
 *   --stories               prints the stories of wrong findings, and of the first right one
 *   --write                 writes docs/measurements/setpoint-30.md
 *   --plans                 writes packages/sim/models/plans.json, with which a test repeats the bugs
 */
import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Finding } from '@setpoint/sim'
import { format, resolveConfig } from 'prettier'
import { isRight, type MeasuredRun } from './measured-run.ts'
import { reportOf, rowText } from './report.ts'
import { isBuggy, subjects } from './subjects.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    types: { type: 'string', default: 'bug,fixed,correct,mutant' },
    budget: { type: 'string', default: '60s' },
    processes: { type: 'string', default: '2' },
    stories: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    plans: { type: 'boolean', default: false },
  },
})

const all = subjects()
const only = values.only.split(',').filter((id) => id !== '')
const types = values.types.split(',')
const queue = all
  .map((subject, index) => ({ subject, index }))
  .filter(
    ({ subject: { type, id } }) => types.includes(type) && (only.length === 0 || only.includes(id)),
  )
if (queue.length === 0) throw new Error('no program has these ids and types')

const runs: MeasuredRun[] = []
const startMs = performance.now()
const indexes = queue.map(({ index }) => index)

/** Simulates programs in a process of its own until none is left. */
async function simulateInProcess(): Promise<void> {
  const child = fork(new URL('./worker.ts', import.meta.url), [values.budget])
  await new Promise<void>((resolve, reject) => {
    const next = (): void => {
      const index = indexes.shift()
      if (index === undefined) resolve()
      else child.send(index)
    }
    child.on('message', (run: MeasuredRun) => {
      runs.push(run)
      print(run)
      next()
    })
    child.on('exit', (code) => {
      reject(new Error(`a process of the benchmark ended with ${code}`))
    })
    next()
  })
  child.removeAllListeners('exit')
  child.kill()
}

function print(run: MeasuredRun): void {
  console.log(rowText(run))
  if (!values.stories) return
  const shown = isBuggy(run) ? run.findings.slice(0, 1) : run.findings
  for (const { story } of shown) console.log(story.replace(/^/gm, '    '))
}

await Promise.all(Array.from({ length: Number(values.processes) }, simulateInProcess))
const report = reportOf(runs, {
  seconds: (performance.now() - startMs) / 1000,
  processes: values.processes,
})
console.log(report)
if (values.write) {
  const path = 'docs/measurements/setpoint-30.md'
  writeFileSync(path, await format(report, { ...(await resolveConfig(path)), parser: 'markdown' }))
}
if (values.plans) {
  const bugs = runs
    .filter(({ type }) => type === 'bug')
    .toSorted((left, right) => left.id.localeCompare(right.id))
  const plans = bugs.flatMap(({ id, first }) => (first === undefined ? [] : [planOf(id, first)]))
  const text = JSON.stringify(plans)
  const path = 'packages/sim/models/plans.json'
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), parser: 'json' }))
}
process.exitCode = runs.every(isRight) ? 0 : 1

function planOf(id: string, { oracle, plan, steps: judged, workload }: Finding): object {
  const needed = plan.compare === 'second' ? 2 : plan.step + judged.length
  return { id, oracle, plan, steps: workload.steps.slice(0, needed) }
}
