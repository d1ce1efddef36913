import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { connectionFromKubeconfig, loadConnection, type Connection } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { startControlPlane } from '../../scripts/control-plane.ts'

/** A cluster with nodes, and its processes. */
export interface MeasuredCluster {
  readonly connection: Connection
  readonly pids: readonly number[]
  readonly stop: () => Promise<void>
}

/** The input for starting a cluster. */
interface ClusterPlace {
  readonly host: Host
  readonly folder: string
  readonly nodes: number
}

/** The embedded cluster, bundled as users run it. */
export async function startEmbedded(place: ClusterPlace): Promise<MeasuredCluster> {
  const kubeconfig = join(place.folder, 'embedded-kubeconfig')
  const child = await startProgram(
    new URL('programs/embedded-cluster.ts', import.meta.url),
    place,
    kubeconfig,
  )
  const text = await readFile(kubeconfig, 'utf8')
  const connection = await connectionFromKubeconfig(place.host, text)
  return { connection, pids: [child.pid ?? 0], stop: async () => void child.kill('SIGKILL') }
}

/** A real control plane with controllers and a scheduler, and with nodes of our kubelets. */
export async function startReal(place: ClusterPlace): Promise<MeasuredCluster> {
  const parts = { controllers: true, scheduler: true }
  const plane = await startControlPlane(join(place.folder, 'real'), parts)
  const nodes = await startProgram(
    new URL('programs/simulated-nodes.ts', import.meta.url),
    place,
    plane.kubeconfig,
  )
  const { host } = place
  const connection = await loadConnection({
    ...host,
    env: (name) => (name === 'KUBECONFIG' ? plane.kubeconfig : undefined),
  })
  return {
    connection,
    pids: [...plane.pids, nodes.pid ?? 0],
    stop: async () => {
      nodes.kill('SIGKILL')
      await plane.stop()
    },
  }
}

async function startProgram(
  source: URL,
  { folder, nodes }: ClusterPlace,
  kubeconfig: string,
): Promise<ChildProcess> {
  const outfile = join(folder, `${basename(source.pathname, '.ts')}.mjs`)
  await build({
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    entryPoints: [fileURLToPath(source)],
    conditions: ['@setpoint/source'],
    logLevel: 'error',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
  })
  const child = spawn(process.execPath, [outfile, kubeconfig, String(nodes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout) if (String(chunk).includes('ready')) break
  return child
}
