// Runs the behavioural tests of the runtime (test/runtime) and the executed documents
// (test/walkthroughs) against a real control plane:
//
//     npm run test:real                        starts control planes from KUBEBUILDER_ASSETS
//     npm run test:real -- --kubeconfig FILE   uses a running one, as its administrator
//     ... -- --only NAME                       only tests whose name contains NAME
//     ... -- --suite runtime|walkthroughs      only one of the two
//
// On their own control plane the tests of the runtime can restart the API server. On a running one
// they create namespaces and definitions and delete them at the end. Documents get a control plane
// with kube-controller-manager and kube-scheduler, whose nodes are simulated by our kubelets: the
// API server, the controllers and the scheduler are the real ones.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { startControlPlane } from './control-plane.ts'

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    only: { type: 'string', default: '' },
    suite: { type: 'string', default: 'all' },
  },
})

/** The API server of the control plane that was started here. */
class OwnApiServer {
  readonly #kubeconfig: string
  #pid: number
  #child: ChildProcess | undefined

  constructor(kubeconfig: string, pid: number) {
    this.#kubeconfig = kubeconfig
    this.#pid = pid
  }

  /** Whether this system shows the arguments of a process. */
  get isKnown(): boolean {
    return existsSync(`/proc/${this.#pid}/cmdline`)
  }

  /** Stops and starts it with the same arguments; resolves when it is ready. */
  async restart(): Promise<void> {
    const [command = '', ...args] = readFileSync(`/proc/${this.#pid}/cmdline`, 'utf8')
      .split('\0')
      .slice(0, -1)
    await this.#end()
    this.#child = spawn(command, args, { stdio: 'ignore' })
    this.#pid = this.#child.pid ?? 0
    await this.#whenReady()
  }

  /**
   * Stops the process that `restart` started; the caller of startControlPlane stops the first one.
   */
  async stop(): Promise<void> {
    if (this.#child !== undefined) await this.#end()
  }

  async #end(): Promise<void> {
    const path = `/proc/${this.#pid}`
    process.kill(this.#pid, 'SIGTERM')
    for (let attempts = 0; attempts < 100 && existsSync(path); attempts += 1) await sleep(50)
    if (existsSync(path)) process.kill(this.#pid, 'SIGKILL')
    while (existsSync(path)) await sleep(50)
  }

  async #whenReady(): Promise<void> {
    const host = nodeHost()
    const text = readFileSync(this.#kubeconfig, 'utf8')
    const { transport } = new Client(host, await connectionFromKubeconfig(host, text))
    for (let attempts = 0; ; attempts += 1) {
      try {
        await transport.text({ method: 'GET', path: '/readyz', what: 'readiness' })
        return
      } catch (error) {
        if (attempts >= 300) throw error
        await sleep(100)
      }
    }
  }
}

/** Restarts the API server on request. */
async function serveRestarts(server: OwnApiServer): Promise<Server> {
  const restartServer = createServer((_, response) => {
    server.restart().then(
      () => response.end('restarted'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => restartServer.listen(0, '127.0.0.1', resolve))
  return restartServer
}

type Suite = 'runtime' | 'walkthroughs'

/** Runs vitest on the tests of a suite, one file after the other: a restart affects all tests. */
async function runTests(suite: Suite, env: Readonly<Record<string, string>>): Promise<number> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const only = values.only === '' ? [] : ['--testNamePattern', values.only]
  const args = [vitest, 'run', `test/${suite}`, '--no-file-parallelism', '--maxConcurrency=1']
  const child = spawn(process.execPath, [...args, ...only], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SETPOINT_TEST_WORLD: 'real', ...env },
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

async function onGivenCluster(suite: Suite, kubeconfig: string): Promise<number> {
  return runTests(suite, { SETPOINT_TEST_KUBECONFIG: kubeconfig })
}

/** The walk-throughs on a whole cluster. */
async function walkthroughsOnOwnCluster(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-real-'))
  try {
    const plane = await startControlPlane(folder, { controllers: true, scheduler: true })
    const nodes = await startNodes(plane.kubeconfig)
    try {
      return await runTests('walkthroughs', { SETPOINT_TEST_KUBECONFIG: plane.kubeconfig })
    } finally {
      nodes.kill('SIGKILL')
      await plane.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Three nodes with simulated pods, and volumes for claims. */
async function startNodes(kubeconfig: string): Promise<ChildProcess> {
  const program = new URL('../benchmarks/workloads/programs/simulated-nodes.ts', import.meta.url)
  const args = [...process.execArgv, fileURLToPath(program), kubeconfig, '3', 'storage']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const chunk of child.stdout) if (String(chunk).includes('ready')) return child
  throw new Error('the nodes did not become ready')
}

async function runtimeOnOwnCluster(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-real-'))
  try {
    const plane = await startControlPlane(folder)
    const server = new OwnApiServer(plane.kubeconfig, plane.pids[1] ?? 0)
    const restartServer = server.isKnown ? await serveRestarts(server) : undefined
    try {
      const { port } = (restartServer?.address() ?? { port: 0 }) as AddressInfo
      const restarts: Record<string, string> =
        port === 0 ? {} : { SETPOINT_TEST_RESTART_URL: `http://127.0.0.1:${port}` }
      return await runTests('runtime', {
        SETPOINT_TEST_KUBECONFIG: plane.kubeconfig,
        ...restarts,
      })
    } finally {
      restartServer?.close()
      await server.stop()
      await plane.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const onOwnCluster: Readonly<Record<Suite, () => Promise<number>>> = {
  runtime: runtimeOnOwnCluster,
  walkthroughs: walkthroughsOnOwnCluster,
}

try {
  const { kubeconfig, suite: requested } = values
  const suites = (['runtime', 'walkthroughs'] as const).filter((suite) =>
    ['all', suite].includes(requested),
  )
  if (suites.length === 0) throw new Error(`--suite: unknown suite ${requested}`)
  for (const suite of suites) {
    const code = await (kubeconfig === undefined
      ? onOwnCluster[suite]()
      : onGivenCluster(suite, kubeconfig))
    process.exitCode = Math.max(Number(process.exitCode ?? 0), code)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  console.error('or use a running cluster: npm run test:real -- --kubeconfig FILE')
  process.exitCode = 2
}
