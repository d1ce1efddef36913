import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createCluster } from '@setpoint/cluster'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { InferManifest } from 'setpoint'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { CustomResourceDefinition, Deployment } from 'setpoint/kinds'
import { Application } from '../operators/01-application/application.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'setpoint-run-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface LogRecord {
  readonly level: number
  readonly msg: string
  readonly [field: string]: unknown
}

/** The main file of an example as a process, with its output lines. */
class Main implements Disposable {
  readonly records: LogRecord[] = []
  readonly #child: ChildProcess
  readonly #waiting = new Set<() => void>()
  readonly exited: Promise<unknown[]>

  constructor(kubeconfig: string) {
    const file = join(folder, 'kubeconfig')
    writeFileSync(file, kubeconfig)
    const args = ['--import', 'tsx', '--conditions=@setpoint/source']
    this.#child = spawn(process.execPath, [...args, 'operators/01-application/main.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, KUBECONFIG: file, PROBES_PORT: '0' },
    })
    this.exited = once(this.#child, 'close')
    const lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })
    lines.on('line', (line) => {
      this.records.push(JSON.parse(line) as LogRecord)
      for (const check of this.#waiting) check()
    })
  }

  /** The first record with this message. */
  async logged(msg: string): Promise<LogRecord> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = this.records.find((record) => record.msg === msg)
        if (found === undefined) return
        this.#waiting.delete(check)
        resolve(found)
      }
      this.#waiting.add(check)
      check()
    })
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL')
  }
}

async function waitForDeployment(client: Client, name: string): Promise<void> {
  const fieldSelector = { 'metadata.name': name }
  const watch = client.watch(Deployment, { namespace: 'default', fieldSelector })
  for await (const { type } of watch) if (type === 'ADDED') return
}

test('a main file of three lines runs until SIGTERM', async () => {
  const host = nodeHost()
  await using cluster = await createCluster({ host, workloads: 'off' })
  const client = new Client(host, await connectionFromKubeconfig(host, cluster.kubeconfig()))
  await client.create(CustomResourceDefinition, Application.crd())
  using main = new Main(cluster.kubeconfig())
  await main.logged('all caches are synced')
  const sample = readFileSync(join(root, 'operators/01-application/sample.yaml'), 'utf8')
  const manifest = parse(sample) as InferManifest<typeof Application>
  const { metadata } = await client.create(Application, manifest)
  await waitForDeployment(client, metadata.name)
  const { url } = await main.logged('serving probes and metrics')
  const port = new URL(String(url)).port
  const ready = await fetch(`http://127.0.0.1:${port}/readyz?verbose`)
  expect(await ready.text()).toContain('[+]definition applications.shclub.github.io ok')
  main.kill('SIGTERM')
  expect(await main.exited).toEqual([0, null])
  // Only the CRD is installed, not the configuration of its webhook.
  expect(main.records.filter(({ level }) => level > 30)).toMatchObject([
    { msg: expect.stringContaining('API servers do not call these webhooks') as string },
  ])
  expect(main.records.at(-1)?.msg).toBe('stopped')
})

test('reports a missing cluster in one line and exits with 1', async () => {
  const host = nodeHost()
  const cluster = await createCluster({ host, workloads: 'off' })
  const kubeconfig = cluster.kubeconfig()
  await cluster.dispose()
  using main = new Main(kubeconfig)
  expect(await main.exited).toEqual([1, null])
  expect(main.records).toMatchObject([
    {
      level: 50,
      code: 'NETWORK_CONNECT_FAILED',
      msg: expect.stringMatching(/^cannot start: /) as string,
    },
  ])
})
