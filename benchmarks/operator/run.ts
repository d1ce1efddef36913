/**
 * `npm run bench:operator`: the same operator with Setpoint, controller-runtime and
 * @kubernetes/client-node, on a real control plane from KUBEBUILDER_ASSETS. The programs take turns
 * in one run.
 *
 *   --n 1000               how many Applications
 *   --rounds 1             how often everything is measured; the table has the medians
 *   --only cold,restart    phases: cold, restart, latency, burst, drift, cache
 *   --programs setpoint    setpoint, controller-runtime, client-node
 *   --samples 200          single changes that are timed
 *   --cache-objects 20000  how many ConfigMaps the caches have
 *   --node FILE            the Node binary for the programs; the current one by default
 *   --write                writes docs/measurements/operator.md, or operator-N.md for another --n,
 *                          ...-nodeM.md for Node M before 24
 *
 * It needs Linux (`/proc`), the Go module proxy and an npm registry for the other frameworks; without
 * `go` the column of controller-runtime is omitted.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import type { RoundResult } from '../figures-table.ts'
import { benchCaches } from './cache-bench.ts'
import { benchOperator, operatorPhases } from './operator-bench.ts'
import { buildPrograms, programNames } from './programs.ts'
import { report } from './report.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    n: { ...text, default: '1000' },
    rounds: { ...text, default: '1' },
    only: { ...text, default: [...operatorPhases, 'cache'].join() },
    programs: { ...text, default: programNames.join() },
    samples: { ...text, default: '200' },
    'cache-objects': { ...text, default: '20000' },
    node: { ...text, default: process.execPath },
    write: { type: 'boolean', default: false },
  },
})

function count(name: 'n' | 'rounds' | 'samples' | 'cache-objects'): number {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive integer`)
  return value
}

function names(name: 'only' | 'programs', known: readonly string[]): string[] {
  const given = values[name].split(',')
  const unknown = given.find((each) => !known.includes(each))
  if (unknown !== undefined)
    throw new Error(`--${name}: ${unknown} is not one of ${known.join(', ')}`)
  return known.filter((each) => given.includes(each))
}

const timeoutMs = 600_000
const only = names('only', [...operatorPhases, 'cache'])
const [objects, rounds, samples] = [count('n'), count('rounds'), count('samples')]
const cacheObjects = count('cache-objects')
const print = (line: string): void =>
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`)

const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error(signal)))
})
// Every wait races against it, so the rejection itself is ignored.
interrupted.catch(() => undefined)

const nodeVersion = execFileSync(values.node, ['--version'], { encoding: 'utf8' }).trim()

/** The name of the page; the default options add no suffix. */
function pageName(): string {
  const major = Number.parseInt(nodeVersion.slice(1))
  const parts = [...(objects === 1000 ? [] : [objects]), ...(major < 24 ? [`node${major}`] : [])]
  return ['operator', ...parts].join('-')
}

async function measure(folder: string): Promise<string> {
  const { node } = values
  const programs = await buildPrograms(names('programs', programNames), { folder, node }, print)
  const results: RoundResult[] = []
  let kubernetes = ''
  const operatorOptions = { objects, samples, only, folder, timeoutMs, interrupted, print }
  for (let round = 0; round < rounds; round += 1) {
    if (!only.some((name) => operatorPhases.includes(name))) break
    for (const [index] of programs.entries()) {
      // Each round starts with another program.
      const program = programs[(index + round) % programs.length]
      if (program === undefined) continue
      const { figures, version } = await benchOperator(program, operatorOptions)
      kubernetes = version
      results.push({ program: program.name, figures })
    }
  }
  if (only.includes('cache')) {
    const cacheOptions = { objects: cacheObjects, rounds, folder, timeoutMs, interrupted, print }
    const caches = await benchCaches(programs, cacheOptions)
    kubernetes = caches.version
    results.push(...caches.results)
  }
  const versions = { kubernetes, node: nodeVersion }
  return report(results, { programs, objects, samples, cacheObjects, rounds, versions })
}

const folder = mkdtempSync(join(tmpdir(), 'setpoint-bench-'))
try {
  const path = fileURLToPath(new URL(`../../docs/measurements/${pageName()}.md`, import.meta.url))
  const page = await format(await measure(folder), {
    ...(await resolveConfig(path)),
    filepath: path,
  })
  console.log(page)
  if (values.write) await writeFile(path, page)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
// Agents keep their connections, and a watch of the harness may still be closing.
process.exit()
