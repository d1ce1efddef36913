// Runs the behavioural tests of the runtime (test/runtime) against a real control plane:
//
//     npm run test:real                        starts a control plane from KUBEBUILDER_ASSETS
//     npm run test:real -- --kubeconfig FILE   takes one that runs already, as its administrator
//     ... -- --only NAME                       only tests whose name contains NAME
//
// On a control plane of its own the tests can have the API server restarted. On one that runs already they make
// namespaces and definitions of their own and remove them again.
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
  options: { kubeconfig: { type: 'string' }, only: { type: 'string', default: '' } },
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

  /** Whether this system shows with which arguments it was started. */
  get isKnown(): boolean {
    return existsSync(`/proc/${this.#pid}/cmdline`)
  }

  /** Ends it and starts it again in the same way; resolves when it is ready. */
  async restart(): Promise<void> {
    const [command = '', ...args] = readFileSync(`/proc/${this.#pid}/cmdline`, 'utf8')
      .split('\0')
      .slice(0, -1)
    await this.#end()
    this.#child = spawn(command, args, { stdio: 'ignore' })
    this.#pid = this.#child.pid ?? 0
    await this.#whenReady()
  }

  /** Ends what `restart` started; the first one is ended by whoever started it. */
  async stop(): Promise<void> {
    if (this.#child !== undefined) await this.#end()
  }

  async #end(): Promise<void> {
    const path = `/proc/${this.#pid}`
    process.kill(this.#pid, 'SIGTERM')
    for (let tries = 0; tries < 100 && existsSync(path); tries += 1) await sleep(50)
    if (existsSync(path)) process.kill(this.#pid, 'SIGKILL')
    while (existsSync(path)) await sleep(50)
  }

  async #whenReady(): Promise<void> {
    const host = nodeHost()
    const text = readFileSync(this.#kubeconfig, 'utf8')
    const { transport } = new Client(host, await connectionFromKubeconfig(host, text))
    for (let tries = 0; ; tries += 1) {
      try {
        await transport.text({ method: 'GET', path: '/readyz', what: 'readiness' })
        return
      } catch (error) {
        if (tries >= 300) throw error
        await sleep(100)
      }
    }
  }
}

/** Restarts the API server whenever it is asked to. */
async function serveRestarts(server: OwnApiServer): Promise<Server> {
  const door = createServer((_, response) => {
    server.restart().then(
      () => response.end('restarted'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  return door
}

/** Runs vitest on the tests, one file after the other: a restart concerns everybody. */
async function runTests(env: Readonly<Record<string, string>>): Promise<number> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const only = values.only === '' ? [] : ['--testNamePattern', values.only]
  const args = [vitest, 'run', 'test/runtime', '--no-file-parallelism', '--maxConcurrency=1']
  const child = spawn(process.execPath, [...args, ...only], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SETPOINT_TEST_WORLD: 'real', ...env },
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

async function onGivenCluster(kubeconfig: string): Promise<number> {
  return runTests({ SETPOINT_TEST_KUBECONFIG: kubeconfig })
}

async function onOwnCluster(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-real-'))
  try {
    const plane = await startControlPlane(folder)
    const server = new OwnApiServer(plane.kubeconfig, plane.pids[1] ?? 0)
    const door = server.isKnown ? await serveRestarts(server) : undefined
    try {
      const { port } = (door?.address() ?? { port: 0 }) as AddressInfo
      const restarts: Record<string, string> =
        port === 0 ? {} : { SETPOINT_TEST_RESTART_URL: `http://127.0.0.1:${port}` }
      return await runTests({ SETPOINT_TEST_KUBECONFIG: plane.kubeconfig, ...restarts })
    } finally {
      door?.close()
      await server.stop()
      await plane.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

try {
  const { kubeconfig } = values
  process.exitCode = await (kubeconfig === undefined ? onOwnCluster() : onGivenCluster(kubeconfig))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  console.error('or name a cluster that runs already: npm run test:real -- --kubeconfig FILE')
  process.exitCode = 2
}
