/**
 * `npm run bench:webhooks`: one validating webhook with Setpoint and with controller-runtime. Both
 * check the same rule and have the same certificate. A Go client with the transport of an API server
 * sends the same review to both, in turns.
 *
 *   --rounds 5        how often everything is measured; the table has the medians
 *   --reviews 5000    reviews in a row, on one connection
 *   --workers 1000    reviews at the same time
 *   --node FILE       the Node binary for Setpoint; the current one by default
 *   --write           writes docs/measurements/webhooks.md
 *
 * It needs Linux (`/proc`), `go` and the Go module proxy.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { createCluster } from '@setpoint/cluster'
import { format, resolveConfig } from 'prettier'
import { CertificateAuthority } from 'setpoint/certificates'
import { nodeHost } from 'setpoint/host'
import type { RoundResult } from '../figures-table.ts'
import { MeasuredProgram } from '../operator/measured-program.ts'
import { cpuSeconds, residentMiB } from '../operator/process-usage.ts'
import { sampleReview } from './sample-review.ts'
import { buildGoPrograms, buildSetpointWebhooks, webhookPath } from './webhook-programs.ts'
import { webhookReport } from './webhook-report.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    rounds: { ...text, default: '5' },
    reviews: { ...text, default: '5000' },
    workers: { ...text, default: '1000' },
    node: { ...text, default: process.execPath },
    write: { type: 'boolean', default: false },
  },
})

function count(name: 'rounds' | 'reviews' | 'workers'): number {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive integer`)
  return value
}

const [rounds, reviews, workers] = [count('rounds'), count('reviews'), count('workers')]
/** How many reviews each worker sends. */
const reviewsPerWorker = 3
/** A fifth of a round, before the first round. */
const warmUpReviews = Math.ceil(reviews / 5)
const firstPort = 19_443
const answerSecondsMax = 30

/** What the client prints. */
interface ClientFigures {
  readonly protocol: string
  readonly errors: number
  readonly firstError?: string
  readonly p50: number
  readonly p99: number
  readonly seconds: number
}

const host = nodeHost()
const folder = mkdtempSync(join(tmpdir(), 'setpoint-webhooks-'))
const certificates = join(folder, 'certificates')
const reviewFile = join(folder, 'review.json')
const kubeconfig = join(folder, 'kubeconfig')
const print = (line: string): void =>
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`)

/** Both servers have one certificate, so that handshakes cost the same. */
function writeFiles(): void {
  const authority = new CertificateAuthority(host, { commonName: 'bench' })
  const { cert, key } = authority.issue('bench', { use: 'server', hosts: ['127.0.0.1'] })
  mkdirSync(certificates)
  writeFileSync(join(certificates, 'tls.crt'), cert)
  writeFileSync(join(certificates, 'tls.key'), key)
  writeFileSync(join(certificates, 'ca.crt'), authority.cert)
  writeFileSync(reviewFile, sampleReview())
}

const run = promisify(execFile)

async function send(
  client: string,
  port: number,
  load: { readonly count: number; readonly concurrency: number },
): Promise<ClientFigures> {
  const options = {
    url: `https://127.0.0.1:${port}${webhookPath}?timeout=10s`,
    ca: join(certificates, 'ca.crt'),
    review: reviewFile,
    ...load,
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`-${name}`, String(value)])
  const { stdout } = await run(client, args)
  return JSON.parse(stdout) as ClientFigures
}

async function answers(client: string, port: number): Promise<void> {
  let last = ''
  for (let attempt = 0; attempt < answerSecondsMax * 10; attempt += 1) {
    const { errors, firstError = '' } = await send(client, port, { count: 1, concurrency: 1 })
    if (errors === 0) return
    last = firstError
    await host.sleep(100)
  }
  throw new Error(`port ${port} did not answer within ${answerSecondsMax} s: ${last}`)
}

/** The figures of one round, and its failed reviews. */
async function measure(
  client: string,
  port: number,
  pid: number,
): Promise<{ readonly figures: RoundResult['figures']; readonly errors: number }> {
  const cpuBefore = cpuSeconds(pid)
  const single = await send(client, port, { count: reviews, concurrency: 1 })
  const cpu = cpuSeconds(pid) - cpuBefore
  const many = await send(client, port, { count: reviewsPerWorker, concurrency: workers })
  const failure = single.firstError ?? many.firstError
  if (failure !== undefined) print(`failure: ${failure}`)
  const figures = {
    'one at a time: p50 (ms)': single.p50,
    'one at a time: p99 (ms)': single.p99,
    'one at a time: CPU of a review (ms)': (cpu * 1000) / reviews,
    'at the same time: p50 (ms)': many.p50,
    'at the same time: p99 (ms)': many.p99,
    'at the same time: reviews per second': (workers * reviewsPerWorker) / many.seconds,
  }
  return { figures, errors: single.errors + many.errors }
}

async function measureAll(): Promise<string> {
  const [otherLoad = 0] = loadavg()
  writeFiles()
  print('building')
  const { server, client } = buildGoPrograms(folder)
  const programs = [await buildSetpointWebhooks(folder, values.node), server]
  await using cluster = await createCluster({ workloads: 'off' })
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
  const measured = programs.map((program, index) => {
    const port = firstPort + index
    const env = program.env({ port, certificates, kubeconfig })
    const log = join(folder, `${program.name}.log`)
    const started = new MeasuredProgram(program.command, env, log)
    started.start()
    return { program, port, started }
  })
  const results: RoundResult[] = []
  const failed = new Map<string, number>()
  const work = async (): Promise<void> => {
    for (const { port } of measured) {
      await answers(client, port)
      await send(client, port, { count: warmUpReviews, concurrency: 1 })
    }
    for (let round = 0; round < rounds; round += 1) {
      // Each round starts with the other program.
      for (const [index] of measured.entries()) {
        const next = measured[(index + round) % measured.length]
        if (next === undefined) continue
        const { name } = next.program
        const { figures, errors } = await measure(client, next.port, next.started.pid)
        print(`${name} ${JSON.stringify({ ...figures, errors })}`)
        results.push({ program: name, figures })
        failed.set(name, (failed.get(name) ?? 0) + errors)
      }
    }
    // A median would hide a round with errors.
    for (const { program, started } of measured) {
      const figures = {
        'all rounds: errors': failed.get(program.name) ?? 0,
        'all rounds: peak memory (MiB)': residentMiB(started.pid).peak,
      }
      results.push({ program: program.name, figures })
    }
  }
  try {
    await Promise.race([work(), ...measured.map(({ started }) => started.failed)])
  } finally {
    await Promise.all(measured.map(async ({ started }) => started[Symbol.asyncDispose]()))
  }
  const node = execFileSync(values.node, ['--version'], { encoding: 'utf8' }).trim()
  const bytes = Buffer.byteLength(sampleReview())
  return webhookReport(results, {
    programs,
    reviews,
    workers,
    reviewsPerWorker,
    rounds,
    node,
    bytes,
    otherLoad,
  })
}

try {
  const path = fileURLToPath(new URL('../../docs/measurements/webhooks.md', import.meta.url))
  const page = await format(await measureAll(), { ...(await resolveConfig(path)), filepath: path })
  console.log(page)
  if (values.write) await writeFile(path, page)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
