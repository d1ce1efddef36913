/**
 * `npm run bench:overload`: 1,000 clients that never pause and 500 watches, on the embedded server
 * and on a real kube-apiserver. Needs `npm run build`, and KUBEBUILDER_ASSETS for the real one.
 * Writes docs/measurements/overload.md.
 */
import { writeFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { fileURLToPath } from 'node:url'
import { commitNow, machineText } from '../machine.ts'
import { table } from '../table.ts'
import { send, sendMany, watchOnce, type Call } from './load.ts'
import { residentMiB, startEmbedded, startReal, type MeasuredServer } from './measured-server.ts'

const clients = 1_000
const watches = 500
const namespaces = 50
const durationMs = 30_000

const pathOf = (index: number): string => `/api/v1/namespaces/load-${index % namespaces}/configmaps`

/** Of ten requests of a client, one updates its object and one lists its namespace. */
function callOf(client: number, turn: number): Call {
  const path = `${pathOf(client)}/c${client}`
  const isUpdate = turn % 10 === client % 10
  if (isUpdate) {
    const body = { metadata: { name: `c${client}` }, data: { turn: String(turn) } }
    return { method: 'PUT', path, body }
  }
  return { method: 'GET', path: (turn + 5) % 10 === client % 10 ? pathOf(client) : path }
}

interface Figures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
  readonly refused: number
  readonly failed: number
  readonly memoryBeforeMiB: number
  readonly memoryAfterMiB: number
}

async function measure(start: () => Promise<MeasuredServer>): Promise<Figures> {
  const server = await start()
  const agent = new Agent({ ...server.agent.options, maxSockets: clients + watches })
  const wide = { url: server.url, agent }
  try {
    await sendMany(server, namespaces, (index) => ({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name: `load-${index}` } },
    }))
    await sendMany(server, clients, (index) => ({
      method: 'POST',
      path: pathOf(index),
      body: { metadata: { name: `c${index}` }, data: { text: 'x'.repeat(500) } },
    }))
    const open = []
    for (let index = 0; index < watches; index += 1) {
      open.push(await watchOnce(wide, `${pathOf(index)}?watch=1`))
    }
    const memoryBeforeMiB = residentMiB(server)
    const load = await loadFor(wide, durationMs)
    const memoryAfterMiB = residentMiB(server)
    for (const { close } of open) close()
    return { ...load, memoryBeforeMiB, memoryAfterMiB }
  } finally {
    agent.destroy()
    await server.stop()
  }
}

async function loadFor(
  target: Parameters<typeof send>[0],
  forMs: number,
): Promise<Omit<Figures, 'memoryBeforeMiB' | 'memoryAfterMiB'>> {
  const times: number[] = []
  let refused = 0
  let failed = 0
  // The first requests open connections; they are not measured.
  const startMs = performance.now() + 5_000
  const endMs = startMs + forMs
  const run = async (client: number): Promise<void> => {
    for (let turn = 0; performance.now() < endMs; turn += 1) {
      const sentMs = performance.now()
      const code = await send(target, callOf(client, turn)).then(
        (answer) => answer.code,
        () => 0,
      )
      const doneMs = performance.now()
      if (sentMs < startMs) continue
      if (code === 429) refused += 1
      // A conflict is a correct answer.
      else if (code === 0 || (code >= 300 && code !== 409)) failed += 1
      else times.push(doneMs - sentMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  times.sort((a, b) => a - b)
  const at = (part: number): number => times[Math.floor(times.length * part)] ?? 0
  return {
    perSecond: times.length / (forMs / 1000),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    longestMs: times.at(-1) ?? 0,
    refused,
    failed,
  }
}

const rowsOf: readonly (readonly [string, (figures: Figures) => number])[] = [
  ['requests per second', ({ perSecond }) => perSecond],
  ['p50 (ms)', ({ p50Ms }) => p50Ms],
  ['p99 (ms)', ({ p99Ms }) => p99Ms],
  ['longest (ms)', ({ longestMs }) => longestMs],
  ['refused with 429', ({ refused }) => refused],
  ['failed', ({ failed }) => failed],
  ['memory before the load (MiB)', ({ memoryBeforeMiB }) => memoryBeforeMiB],
  ['memory after the load (MiB)', ({ memoryAfterMiB }) => memoryAfterMiB],
]

const embedded = await measure(startEmbedded)
const real = process.env['KUBEBUILDER_ASSETS'] === undefined ? undefined : await measure(startReal)
const header = ['what', 'embedded', ...(real === undefined ? [] : ['real'])]
const rows = rowsOf.map(([, pick]) =>
  [embedded, real].flatMap((figures) => (figures === undefined ? [] : [pick(figures).toFixed(0)])),
)
const text = `# The API server under overload

${clients.toLocaleString('en')} clients on connections of their own that never pause, for ${durationMs / 1000} s: of ten requests, eight read an object,
one updates it, and one lists a namespace with ${clients / namespaces} objects. ${watches} watches, ${watches / namespaces} for each namespace, get all events.
Clients and server share the machine.

${table(
  header,
  rows.map((row, index) => [rowsOf[index]?.[0] ?? '', ...row]),
)}

Measured by \`npm run bench:overload\` at commit ${commitNow()} on ${machineText()}, Node ${process.version}.
`
await writeFile(
  fileURLToPath(new URL('../../docs/measurements/overload.md', import.meta.url)),
  text,
)
console.log(text)
