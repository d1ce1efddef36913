// Sends random variations of real requests to a real kube-apiserver and to the embedded one, and
// prints the classes of differences, each with its smallest example:
//
//     npm run conformance:fuzz                        starts a control plane from KUBEBUILDER_ASSETS
//     npm run conformance:fuzz -- --kubeconfig FILE   uses a running one
//     ... --seconds 60                                how long
//     ... --seed TEXT                                 the same seed sends the same requests
//     ... --script NUMBER                             only this script of the seed
//
// Or to the embedded server alone, which must survive them:
//
//     npm run conformance:fuzz -- --embedded-only --requests 100000
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { embeddedTarget, runningTarget, type Target } from '../test/conformance/target.ts'
import { compareServers } from './conformance-fuzz/compare-servers.ts'
import { endure } from './conformance-fuzz/endure.ts'
import { classText, unstableText } from './conformance-fuzz/fuzz-report.ts'
import { startControlPlane } from './control-plane.ts'

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now()) },
    script: { type: 'string' },
    'embedded-only': { type: 'boolean', default: false },
    requests: { type: 'string', default: '100000' },
  },
})
const { seed } = values

function* countFrom(first: number): Generator<number> {
  for (let number = first; ; number += 1) yield number
}

async function compare(real: Target, embedded: Target): Promise<boolean> {
  const end = Date.now() + Number(values.seconds) * 1000
  const { scripts, requests, classes, explained, unstable } = await compareServers({
    real,
    embedded,
    seed,
    numbers: values.script === undefined ? countFrom(0) : [Number(values.script)].values(),
    isOver: () => Date.now() > end,
    onClass: (first) => console.log(`first seen:\n${classText(first, seed)}\n`),
  })
  const sorted = [...classes].sort((a, b) => b.numbers.length - a.numbers.length)
  for (const each of sorted) console.log(`${classText(each, seed)}\n`)
  for (const each of unstable) console.log(`${unstableText(each, seed)}\n`)
  for (const [reason, count] of explained) console.log(`${count} x explained: ${reason}`)
  console.log(
    `seed ${seed}: ${scripts} scripts, ${requests} requests, ${classes.length} unexplained classes, ${unstable.length} classes that did not occur again`,
  )
  return classes.length === 0
}

async function survive(): Promise<boolean> {
  await using embedded = await embeddedTarget()
  const { scripts, requests, problems, slowestMs, heapMiB } = await endure(embedded, {
    seed,
    requests: Number(values.requests),
  })
  for (const problem of problems) console.log(problem)
  console.log(
    `seed ${seed}: ${scripts} scripts, ${requests} requests, ${problems.length} problems; slowest answer ${Math.round(slowestMs)} ms; heap ${heapMiB.join(' MiB, then ')} MiB`,
  )
  return problems.length === 0
}

async function compareWithReal(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-fuzz-'))
  const plane = values.kubeconfig === undefined ? await startControlPlane(folder) : undefined
  try {
    await using embedded = await embeddedTarget()
    await using real = await runningTarget(values.kubeconfig ?? plane?.kubeconfig ?? '', undefined)
    return await compare(real, embedded)
  } finally {
    await plane?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = (await (values['embedded-only'] ? survive() : compareWithReal())) ? 0 : 1
