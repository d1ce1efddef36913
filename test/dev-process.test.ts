/** `setpoint dev` as a process: the cluster keeps its state while operators are reloaded. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { Deployment } from 'setpoint/kinds'
import { installedPackages, linkPackages, setpointBin } from './installed-packages.ts'
import { Application } from '../operators/01-application/application.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const installed = await installedPackages()

interface DevEvent {
  readonly is: string
  readonly error?: { readonly message: string; readonly at?: string }
  readonly isOldWorking?: boolean
  readonly run?: {
    readonly result: string
    readonly reasons: string[]
    readonly error?: { at?: string }
  }
  readonly object?: {
    readonly key: string
    readonly conditions: { type: string; status: string }[]
  }
  readonly line?: { readonly text: string }
  readonly errors?: readonly unknown[]
  readonly result?: { readonly is: string; readonly stories?: readonly string[] }
}

/** A temporary project with the bundled packages. */
class Project implements Disposable {
  readonly folder: string

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'setpoint-dev-'))
    linkPackages(this.folder, installed)
    for (const name of [
      'package.json',
      'application.ts',
      'operator.ts',
      'problems-of.ts',
      'sample.yaml',
    ]) {
      cpSync(join(root, 'operators/01-application', name), join(this.folder, name))
    }
  }

  edit(name: string, from: string, to: string): void {
    const path = join(this.folder, name)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(from)) throw new Error(`${name} does not have ${from}`)
    writeFileSync(path, text.replace(from, to))
  }

  get kubeconfig(): string {
    return join(this.folder, '.setpoint/kubeconfig')
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

class Dev implements Disposable {
  readonly events: DevEvent[] = []
  readonly exited: Promise<unknown[]>
  readonly #child: ChildProcess
  #checkEvents: () => void = () => undefined
  #seen = 0

  constructor(folder: string, words: readonly string[]) {
    this.#child = spawn(
      process.execPath,
      [setpointBin(installed), 'dev', 'operator.ts', '--json', ...words],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    this.exited = once(this.#child, 'close')
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.events.push(JSON.parse(line) as DevEvent)
      this.#checkEvents()
    })
  }

  /** Waits for the next event that matches, after those of earlier calls. */
  async nextEvent(isIt: (event: DevEvent) => boolean): Promise<DevEvent> {
    return new Promise((resolve) => {
      this.#checkEvents = () => {
        for (; this.#seen < this.events.length; this.#seen += 1) {
          const event = this.events[this.#seen]
          if (event === undefined || !isIt(event)) continue
          this.#seen += 1
          this.#checkEvents = () => undefined
          resolve(event)
          return
        }
      }
      this.#checkEvents()
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): void {
    this.#child.kill(signal)
  }

  [Symbol.dispose](): void {
    // The operators' process ends when its starter has ended.
    this.#child.kill('SIGKILL')
  }
}

const isReady = ({ object }: DevEvent): boolean =>
  object?.conditions.some(({ type, status }) => type === 'Ready' && status === 'True') === true

test('reloads operators when their sources change, and the cluster keeps its objects', async () => {
  using project = new Project()
  using dev = new Dev(project.folder, ['--samples'])
  await dev.nextEvent(isReady)
  const host = nodeHost()
  const kubeconfig = readFileSync(project.kubeconfig, 'utf8')
  const client = new Client(host, await connectionFromKubeconfig(host, kubeconfig))
  const { metadata } = await client.get(Application, 'nginx')

  project.edit('operator.ts', 'replicas: spec.replicas,', 'replicas: spec.replicas + 2,')
  expect(await dev.nextEvent(({ is }) => is === 'reload')).toMatchObject({ why: 'operator.ts' })
  await dev.nextEvent(({ is }) => is === 'working')
  await dev.nextEvent(isReady)
  expect((await client.get(Deployment, 'nginx')).spec.replicas).toBe(3)
  expect((await client.get(Application, 'nginx')).metadata.uid).toBe(metadata.uid)

  project.edit('operator.ts', 'spec.replicas + 2', 'spec.replicas +* 2')
  const broken = await dev.nextEvent(({ is }) => is === 'failed')
  expect(broken.isOldWorking).toBe(true)
  expect(broken.error?.message).toContain('operator.ts:14:')

  project.edit(
    'operator.ts',
    'spec.replicas +* 2',
    '(undefined as never as { a: { b: number } }).a.b',
  )
  const failed = await dev.nextEvent(({ run }) => run?.result === 'failed')
  expect(failed.run?.error?.at).toMatch(/^operator\.ts:14:\d+$/)
  expect(failed.run?.reasons.length).toBeGreaterThan(0)

  dev.stop()
  expect(await dev.exited).toEqual([0, null])
  expect(existsSync(project.kubeconfig)).toBe(false)
})

test('checks types while the operators run, and shows errors with their line', async () => {
  using project = new Project()
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, types: [] }
  writeFileSync(
    join(project.folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true, noEmit: true },
      files: ['checked.ts'],
    }),
  )
  writeFileSync(join(project.folder, 'checked.ts'), "const port: number = '80'\nexport { port }\n")
  using dev = new Dev(project.folder, [])
  const wrong = await dev.nextEvent(({ is }) => is === 'types')
  expect(wrong.errors).toEqual([
    { message: "TS2322: Type 'string' is not assignable to type 'number'.", at: 'checked.ts:1:7' },
  ])
  project.edit('checked.ts', "'80'", '80')
  expect((await dev.nextEvent(({ is }) => is === 'types')).errors).toEqual([])
  dev.stop()
  expect(await dev.exited).toEqual([0, null])
})

test('--persist restores the objects of the last run', async () => {
  using project = new Project()
  using first = new Dev(project.folder, ['--persist', '--samples'])
  await first.nextEvent(isReady)
  first.stop()
  await first.exited
  using second = new Dev(project.folder, ['--persist'])
  expect((await second.nextEvent(isReady)).object?.key).toBe('default/nginx')
  second.stop()
  expect(await second.exited).toEqual([0, null])
})

test('stops gracefully on SIGHUP, and refuses a second process in the same project', async () => {
  using project = new Project()
  using dev = new Dev(project.folder, [])
  await dev.nextEvent(({ is }) => is === 'working')
  const second = spawnSync(process.execPath, [setpointBin(installed), 'dev', 'operator.ts'], {
    cwd: project.folder,
    encoding: 'utf8',
  })
  expect(second.status).toBe(1)
  expect(second.stderr).toContain(
    `setpoint dev is already running in this project as process ${dev.pid}, on https://127.0.0.1`,
  )
  expect(second.stderr).toContain(`kill ${dev.pid}`)
  expect(existsSync(project.kubeconfig)).toBe(true)

  dev.stop('SIGHUP')
  expect(await dev.exited).toEqual([0, null])
  expect(existsSync(project.kubeconfig)).toBe(false)
})

test('stops when the shell of npm has ended, and other commands find its cluster meanwhile', async () => {
  using project = new Project()
  const { KUBECONFIG: _, ...inherited } = process.env
  const env = { ...inherited, HOME: project.folder }
  const bin = setpointBin(installed)
  const line = `'${process.execPath}' '${bin}' dev --cluster-only --json; true`
  const shell = spawn('sh', ['-c', line], {
    cwd: project.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, npm_command: 'exec' },
  })
  const closed = once(shell.stdout, 'close')
  await once(shell.stdout, 'data')
  const install = spawnSync(process.execPath, [bin, 'install', 'operator.ts'], {
    cwd: project.folder,
    encoding: 'utf8',
    env,
  })
  expect(install.stderr).toContain('using the cluster of setpoint dev (.setpoint/kubeconfig)')
  expect(install.status).toBe(0)
  shell.kill('SIGTERM')
  await once(shell, 'exit')
  await closed
  expect(existsSync(project.kubeconfig)).toBe(false)
  const later = spawnSync(process.execPath, [bin, 'install', 'operator.ts'], {
    cwd: project.folder,
    encoding: 'utf8',
    env,
  })
  expect(later.stderr).toContain('hint: start setpoint dev in this project')
})

test('starts although a killed process left its kubeconfig', async () => {
  using project = new Project()
  using killed = new Dev(project.folder, [])
  await killed.nextEvent(({ is }) => is === 'working')
  killed.stop('SIGKILL')
  await killed.exited
  expect(existsSync(project.kubeconfig)).toBe(true)
  using next = new Dev(project.folder, [])
  await next.nextEvent(({ is }) => is === 'working')
  next.stop()
  expect(await next.exited).toEqual([0, null])
})

test('applies samples when operators run for the first time, and gives up a module that never loads', async () => {
  using project = new Project()
  project.edit('operator.ts', 'export default', 'export default ]')
  using dev = new Dev(project.folder, ['--samples'])
  await dev.nextEvent(({ is }) => is === 'failed')
  project.edit(
    'operator.ts',
    'export default ]',
    'await new Promise(() => undefined)\nexport default',
  )
  await dev.nextEvent(({ line }) => line?.text.includes('still loading') === true)
  project.edit('operator.ts', 'await new Promise(() => undefined)\n', '')
  await dev.nextEvent(isReady)
  expect(dev.events.filter(({ is }) => is === 'failed')).toHaveLength(1)
  dev.stop()
  expect(await dev.exited).toEqual([0, null])
})

test('--sim simulates the operators at the start, and again after a save', async () => {
  using project = new Project()
  using dev = new Dev(project.folder, ['--sim'])
  const { result: first } = await dev.nextEvent(({ is }) => is === 'sim')
  expect(first).toMatchObject({ is: 'simulated', stories: [] })
  project.edit(
    'operator.ts',
    'replicas: spec.replicas,',
    'replicas: (undefined as never as { a: { b: number } }).a.b,',
  )
  await dev.nextEvent(({ is }) => is === 'reload')
  const { result: second } = await dev.nextEvent(({ is }) => is === 'sim')
  expect(second?.stories?.join('\n')).toContain('TypeError')
  dev.stop()
  expect(await dev.exited).toEqual([0, null])
})

test('the second Ctrl-C ends operators that block the event loop', async () => {
  using project = new Project()
  const noted = join(project.folder, 'pid')
  const note = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(noted)}, String(process.pid))\n`
  const path = join(project.folder, 'operator.ts')
  writeFileSync(path, note + readFileSync(path, 'utf8'))
  project.edit('operator.ts', 'replicas: spec.replicas,', 'replicas: endless(),')
  const endless =
    "function endless(): number {\n  console.log('endless')\n  for (;;) if (Date.now() < 0) return 0\n}\n"
  writeFileSync(path, readFileSync(path, 'utf8') + endless)
  using dev = new Dev(project.folder, ['--samples'])
  await dev.nextEvent(({ line }) => line?.text === 'endless')
  dev.stop('SIGINT')
  await dev.nextEvent(({ is }) => is === 'stopping')
  dev.stop('SIGINT')
  expect(await dev.exited).toEqual([130, null])
  const pid = Number(readFileSync(noted, 'utf8'))
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
