import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startControlPlane } from '../../scripts/control-plane.ts'
import { send } from './load.ts'

/** A server under load, and its processes. */
export interface MeasuredServer {
  readonly name: string
  readonly url: string
  readonly agent: Agent
  readonly pids: readonly number[]
  /** The time from the start of the processes to the first successful request. */
  readonly coldStartMs: number
  readonly stop: () => Promise<void>
}

const connections = 16

/** The built package without any loader, as users run it. */
const program = `
import { writeFileSync } from 'node:fs'
import { createCluster } from '@setpoint/cluster'
const cluster = await createCluster()
writeFileSync(process.argv[1], cluster.kubeconfig())
console.log('ready ' + cluster.url)
`

/** The embedded server, from its build. */
export async function startEmbedded(): Promise<MeasuredServer> {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const startMs = performance.now()
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, kubeconfig], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout) if (String(chunk).startsWith('ready ')) break
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as {
    clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }]
    users: [{ user: { 'client-certificate-data': string; 'client-key-data': string } }]
  }
  const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64')
  const { cluster } = config.clusters[0]
  const { user } = config.users[0]
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    ca: bytes(cluster['certificate-authority-data']),
    cert: bytes(user['client-certificate-data']),
    key: bytes(user['client-key-data']),
  })
  await firstAnswer(cluster.server, agent)
  return {
    name: 'embedded',
    url: cluster.server,
    agent,
    pids: [child.pid ?? 0],
    coldStartMs: performance.now() - startMs,
    stop: async () => {
      agent.destroy()
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** kube-apiserver and etcd, from KUBEBUILDER_ASSETS. */
export async function startReal(): Promise<MeasuredServer> {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-bench-'))
  const plane = await startControlPlane(folder)
  const text = readFileSync(plane.kubeconfig, 'utf8')
  const pick = (name: string): string => new RegExp(`${name}: "?([^"\\s,}]+)`).exec(text)?.[1] ?? ''
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    ca: readFileSync(pick('certificate-authority')),
    cert: readFileSync(pick('client-certificate')),
    key: readFileSync(pick('client-key')),
  })
  return {
    name: 'real',
    url: pick('server'),
    agent,
    pids: plane.pids,
    coldStartMs: plane.startMs,
    stop: async () => {
      agent.destroy()
      await plane.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function firstAnswer(url: string, agent: Agent): Promise<void> {
  const answer = await send({ url, agent }, { method: 'GET', path: '/api/v1/namespaces/default' })
  if (answer.code !== 200) throw new Error(`the first request was answered with ${answer.code}`)
}

/** CPU time of the server's processes so far. */
export function cpuSeconds({ pids }: MeasuredServer): number {
  const ticksPerSecond = 100
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  })
  return ticks.reduce((sum, count) => sum + count, 0) / ticksPerSecond
}

/** Resident memory of the server's processes, in MiB. */
export function residentMiB({ pids }: MeasuredServer): number {
  const kib = pids.map((pid) => {
    const match = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(match?.[1] ?? 0)
  })
  return kib.reduce((sum, count) => sum + count, 0) / 1024
}
