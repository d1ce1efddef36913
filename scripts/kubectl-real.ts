// Runs the scripts of test/kubectl on a real kube-apiserver and on the embedded one, line by line, and
// compares output and exit codes:
//
//     KUBECTL=/path/to/kubectl npm run kubectl:real [-- --kubeconfig FILE] [--script NAME]...
//
// The real control plane is started from KUBEBUILDER_ASSETS, unless --kubeconfig names a running one.
import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { normalised } from '../test/kubectl/normalised.ts'
import { startControlPlane } from './control-plane.ts'

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    script: { type: 'string', multiple: true, default: [] },
  },
})
const suite = fileURLToPath(new URL('../test/kubectl/', import.meta.url))

/** One of the two servers for a script: its own folder, and the address of the server. */
interface Side {
  readonly folder: string
  readonly kubeconfig: string
}

/** The result of a line of a script. */
interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function runLine({ folder, kubeconfig }: Side, line: string): Promise<Outcome> {
  const child = spawn('bash', ['-c', line], {
    cwd: join(folder, 'manifests'),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    env: {
      ...process.env,
      PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
      KUBECONFIG: kubeconfig,
      HOME: join(folder, 'home'),
    },
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (texts.stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (texts.stderr += String(chunk)))
  const code = await new Promise<number | null>((ended) => child.on('close', ended))
  return { code, stdout: normalised(texts.stdout), stderr: normalised(texts.stderr) }
}

/** Starts the embedded server as users do, as a separate process. */
async function startEmbedded(folder: string): Promise<{ kubeconfig: string; stop: () => void }> {
  const kubeconfig = join(folder, 'embedded-kubeconfig')
  const program = fileURLToPath(new URL('cluster.ts', import.meta.url))
  const words = [program, '--kubeconfig', kubeconfig, '--workloads', 'off']
  const child = spawn(process.execPath, [...process.execArgv, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = (): void => void child.kill('SIGTERM')
  for await (const chunk of child.stdout) {
    if (String(chunk).startsWith('ready ')) return { kubeconfig, stop }
  }
  throw new Error('the embedded server ended before it was ready')
}

/**
 * A folder with the manifests and `kubectl` (from the PATH unless KUBECTL names one), and a
 * kubeconfig that scripts may change.
 */
function makeSide(folder: string, name: string, kubeconfig: string): Side {
  const own = join(folder, name)
  mkdirSync(join(own, 'home'), { recursive: true })
  cpSync(join(suite, 'manifests'), join(own, 'manifests'), { recursive: true })
  cpSync(kubeconfig, join(own, 'kubeconfig'))
  const program = process.env['KUBECTL']
  if (program !== undefined) symlinkSync(resolve(program), join(own, 'kubectl'))
  return { folder: own, kubeconfig: join(own, 'kubeconfig') }
}

function linesOf(script: string): string[] {
  const text = readFileSync(join(suite, 'scripts', script), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/**
 * Runs a script on both sides in its own namespace; returns the number of lines and differences.
 */
async function compare(script: string, sides: readonly [Side, Side]): Promise<[number, number]> {
  // A namespace cannot be deleted without controllers: every run has its own.
  const namespace = `kubectl-${script.replace('.sh', '')}-${process.pid}`
  for (const side of sides) {
    await runLine(side, `kubectl create namespace ${namespace}`)
    await runLine(side, `kubectl config set-context --current --namespace=${namespace}`)
    await runLine(side, 'kubectl create serviceaccount default')
  }
  const lines = linesOf(script)
  let differences = 0
  for (const line of lines) {
    const [expected, actual] = await Promise.all([runLine(sides[0], line), runLine(sides[1], line)])
    if (JSON.stringify(expected) === JSON.stringify(actual)) continue
    differences += 1
    console.log(`${script}: ${line}`)
    console.log(`  real ${described(expected)}\n  embedded ${described(actual)}`)
  }
  console.log(`${script}: ${lines.length} commands, ${differences} with differences`)
  return [lines.length, differences]
}

function described({ code, stdout, stderr }: Outcome): string {
  const texts = `${stdout}${stderr === '' ? '' : `--- stderr\n${stderr}`}`
  return `(${code})\n${texts.replace(/^/gm, '    ')}`
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-kubectl-'))
  const plane = values.kubeconfig === undefined ? await startControlPlane(folder) : undefined
  const embedded = await startEmbedded(folder)
  const total = [0, 0] as [number, number]
  try {
    const real = values.kubeconfig ?? plane?.kubeconfig ?? ''
    const sides: [Side, Side] = [
      makeSide(folder, 'real', real),
      makeSide(folder, 'embedded', embedded.kubeconfig),
    ]
    const known = readdirSync(join(suite, 'scripts')).sort()
    const requested = values.script.map((name) => `${name}.sh`)
    for (const script of requested.length === 0 ? known : requested) {
      const [lines, differences] = await compare(script, sides)
      total[0] += lines
      total[1] += differences
    }
    console.log(`${total[0]} commands, ${total[1]} with differences`)
  } finally {
    embedded.stop()
    await plane?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  process.exitCode = total[1] === 0 ? 0 : 1
}

await main()
