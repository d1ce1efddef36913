/**
 * `npm run bench:workloads`: Deployments of three replicas on the embedded cluster and on a real
 * control plane from KUBEBUILDER_ASSETS, whose nodes are simulated by the same kubelets. The clusters
 * take turns in one run.
 *
 *   --n 1000        how many Deployments
 *   --idle 30       how many seconds the idle clusters are measured
 *   --only ...      embedded, real
 *   --write         writes docs/measurements/workloads.md
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { Client } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { Deployment } from 'setpoint/kinds'
import { cpuSeconds, residentMiB } from '../operator/process-usage.ts'
import { commitNow, machineText } from '../machine.ts'
import { startEmbedded, startReal, type MeasuredCluster } from './measured-cluster.ts'

const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '1000' },
    idle: { type: 'string', default: '30' },
    only: { type: 'string', default: 'embedded,real' },
    write: { type: 'boolean', default: false },
  },
})
const [count, idleSeconds] = [Number(values.n), Number(values.idle)]
const host = nodeHost()
const folder = mkdtempSync(join(tmpdir(), 'setpoint-workloads-'))
const place = { host, folder, nodes: Math.max(3, Math.ceil((count * 3) / 500)) }

const starts: Readonly<Record<string, () => Promise<MeasuredCluster>>> = {
  embedded: () => startEmbedded(place),
  real: () => startReal(place),
}

interface Figures {
  readonly createdSeconds: number
  readonly readySeconds: number
  readonly cpuSeconds: number
  readonly peakMiB: number
  readonly idlePercent: number
  readonly idleMiB: number
}

interface Usage {
  readonly cpu: number
  readonly now: number
  readonly peak: number
}

function usageOf(pids: readonly number[]): Usage {
  const sum = (value: (pid: number) => number): number =>
    pids.reduce((total, pid) => total + value(pid), 0)
  return {
    cpu: sum(cpuSeconds),
    now: sum((pid) => residentMiB(pid).now),
    peak: sum((pid) => residentMiB(pid).peak),
  }
}

const manifest = (index: number) => ({
  metadata: { name: `web-${index}`, namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: `web-${index}` } },
    template: {
      metadata: { labels: { app: `web-${index}` } },
      spec: { containers: [{ name: 'main', image: 'nginx' }] },
    },
  },
})

async function measure({ connection, pids }: MeasuredCluster): Promise<Figures> {
  const client = new Client(host, connection)
  await host.sleep(5_000)
  const before = usageOf(pids)
  const startMs = host.monotonicMs()
  const ready = allReady(client)
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await client.create(Deployment, manifest(next))
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  const createdSeconds = (host.monotonicMs() - startMs) / 1000
  await ready
  const readySeconds = (host.monotonicMs() - startMs) / 1000
  const after = usageOf(pids)
  await host.sleep(45_000)
  const idle = usageOf(pids)
  await host.sleep(idleSeconds * 1000)
  const end = usageOf(pids)
  return {
    createdSeconds,
    readySeconds,
    cpuSeconds: after.cpu - before.cpu,
    peakMiB: after.peak,
    idlePercent: (100 * (end.cpu - idle.cpu)) / idleSeconds,
    idleMiB: end.now,
  }
}

/** Resolves when every Deployment is available. */
async function allReady(client: Client): Promise<void> {
  const ready = new Set<string>()
  for await (const event of client.watch(Deployment, {
    namespace: 'default',
    timeoutSeconds: 3600,
  })) {
    if (event.type === 'BOOKMARK') continue
    if (event.object.status?.availableReplicas === 3) ready.add(event.object.metadata.name)
    if (ready.size === count) return
  }
}

const results: [string, Figures][] = []
try {
  for (const name of values.only.split(',')) {
    const cluster = await starts[name]?.()
    if (cluster === undefined)
      throw new Error(`--only: ${name} is not one of ${Object.keys(starts).join(', ')}`)
    try {
      const figures = await measure(cluster)
      results.push([name, figures])
      console.error(name, figures)
    } finally {
      await cluster.stop()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const titles: Readonly<Record<string, string>> = {
  embedded: 'embedded',
  real: 'real',
}
const row = (title: string, value: (figures: Figures) => string): string =>
  `| ${title} | ${results.map(([, figures]) => value(figures)).join(' | ')} |`
const text = [
  '# Workloads on the embedded and on a real cluster',
  '',
  `${count} Deployments of three replicas are created by 8 writers; then the cluster is idle. \`npm run bench:workloads\`.`,
  `Real: etcd, kube-apiserver, kube-controller-manager and kube-scheduler 1.36, whose ${place.nodes} nodes are simulated by the kubelets of the embedded cluster, over the network; its controllers may send 1,000 requests a second instead of the usual 20. CPU and memory are those of all their processes together.`,
  '',
  `Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commitNow()} on ${machineText()}, Node ${process.version}.`,
  '',
  `| | ${results.map(([name]) => titles[name]).join(' | ')} |`,
  `| --- | ${results.map(() => '---').join(' | ')} |`,
  row('all created', ({ createdSeconds }) => `${createdSeconds.toFixed(1)} s`),
  row('all available', ({ readySeconds }) => `${readySeconds.toFixed(1)} s`),
  row('CPU until then', ({ cpuSeconds }) => `${cpuSeconds.toFixed(1)} s`),
  row('peak memory', ({ peakMiB }) => `${peakMiB.toFixed(0)} MiB`),
  row(`CPU when idle, of a core`, ({ idlePercent }) => `${idlePercent.toFixed(2)} %`),
  row('memory when idle', ({ idleMiB }) => `${idleMiB.toFixed(0)} MiB`),
  '',
].join('\n')
console.log(text)
if (values.write) {
  const file = fileURLToPath(new URL('../../docs/measurements/workloads.md', import.meta.url))
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }))
}
process.exit(0)
