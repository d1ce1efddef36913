import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sendMany } from '../apiserver/load.ts'
import { type AuditedPlane, startAuditedPlane } from './audited-plane.ts'
import { MeasuredProgram } from './measured-program.ts'
import { summaryOf, type Figures } from './phase-cost.ts'
import { cpuSeconds, residentMiB, waitUntilIdle } from './process-usage.ts'
import type { BuiltProgram } from './programs.ts'

/** The options of the cache benchmark. */
interface CacheBenchOptions {
  readonly objects: number
  readonly rounds: number
  readonly folder: string
  readonly timeoutMs: number
  readonly interrupted: Promise<never>
  readonly print: (text: string) => void
}

/** One program in one round. */
interface CacheResult {
  readonly program: string
  readonly figures: Figures
}

/** Measures the caches of all programs in turn on one control plane: they only read. */
export async function benchCaches(
  programs: readonly BuiltProgram[],
  options: CacheBenchOptions,
): Promise<{ readonly results: readonly CacheResult[]; readonly version: string }> {
  const { objects, rounds, print } = options
  await using plane = await startAuditedPlane()
  print(`creating ${objects} ConfigMaps`)
  await createConfigMaps(plane, objects)
  const results: CacheResult[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const [index] of programs.entries()) {
      // Each round starts with another program.
      const program = programs[(index + round) % programs.length]
      if (program === undefined) continue
      const figures = await benchCache(plane, program, { ...options, round })
      print(`${program.name} cache: ${summaryOf(figures)}`)
      results.push({ program: program.name, figures })
    }
  }
  return { results, version: plane.version }
}

async function benchCache(
  plane: AuditedPlane,
  program: BuiltProgram,
  options: CacheBenchOptions & { readonly round: number },
): Promise<Figures> {
  const { objects, folder } = options
  const updates = Math.ceil(objects / 4)
  // A unique text: it identifies the changes of this round.
  const round = `${program.name}-${options.round}`
  const env = {
    KUBECONFIG: plane.programKubeconfig,
    CACHE_ROUND: round,
    CACHE_UPDATES: String(updates),
  }
  await using cache = new MeasuredProgram(program.cache, env, join(folder, `${round}-cache.log`))
  const [listed, synced, updated] = ['listed', 'synced', 'updated'].map((word) =>
    cache.waitForLine(word),
  )
  const inTime = inTimeOf(cache, options)
  const apiServerBefore = cpuSeconds(plane.apiServerPid)
  const startMs = performance.now()
  cache.start()
  const { atMs: listedMs } = await inTime('listed', listed)
  const { rest: count } = await inTime('synced', synced)
  if (Number(count) < objects) throw new Error(`${program.name} has ${count} of ${objects} objects`)
  await waitUntilIdle(cache.pid)
  const syncCpu = cpuSeconds(cache.pid)
  const apiServerCpu = cpuSeconds(plane.apiServerPid) - apiServerBefore
  const memory = residentMiB(cache.pid)
  await sendMany(plane, updates, (index) => ({
    method: 'PATCH',
    path: configMapPath(index),
    type: 'application/merge-patch+json',
    body: { data: { round } },
  }))
  await inTime('updated', updated)
  await waitUntilIdle(cache.pid)
  return {
    'cache: until synced (s)': (listedMs - startMs) / 1000,
    'cache: CPU until synced (s)': syncCpu,
    'cache: API server CPU (s)': apiServerCpu,
    'cache: RSS after it and a collection (MiB)': memory.now,
    'cache: peak RSS (MiB)': memory.peak,
    [`cache: CPU for ${updates} updates (s)`]: cpuSeconds(cache.pid) - syncCpu,
    'cache: RSS after the updates (MiB)': residentMiB(cache.pid).now,
  }
}

type Printed = ReturnType<MeasuredProgram['waitForLine']>

/** Waits for a line of a program, with a timeout, and fails when the program ends. */
function inTimeOf(
  program: MeasuredProgram,
  { timeoutMs, interrupted }: CacheBenchOptions,
): (word: string, line: Printed | undefined) => Printed {
  return async (word, line) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const error = new Error(`no "${word}" within ${timeoutMs / 1000} s`)
      timer = setTimeout(() => reject(error), timeoutMs)
    })
    try {
      return await Promise.race([line ?? late, late, program.failed, interrupted])
    } finally {
      clearTimeout(timer)
    }
  }
}

const namespaceCount = 20

function configMapPath(index: number): string {
  return `/api/v1/namespaces/cache-${index % namespaceCount}/configmaps/config-${index}`
}

/** About 3 KB each, all different. */
async function createConfigMaps(plane: AuditedPlane, count: number): Promise<void> {
  await sendMany(plane, namespaceCount, (index) => ({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: `cache-${index}` } },
  }))
  await sendMany(plane, count, (index) => {
    const name = `config-${index}`
    const lines = Array.from({ length: 60 }, (_, line) => {
      const value = createHash('md5').update(`${index} ${line}`).digest('hex')
      return `setting-${line}: ${value}\n`
    })
    const data = {
      'application.yaml': lines.slice(0, 30).join(''),
      'log.yaml': lines.slice(30).join(''),
    }
    const metadata = { name, labels: { app: name, tier: 'bench' } }
    const path = configMapPath(index).replace(/\/[^/]+$/, '')
    return { method: 'POST', path, body: { metadata, data } }
  })
}
