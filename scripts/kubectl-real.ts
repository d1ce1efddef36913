// Runs the commands of test/kubectl/script.ts with kubectl on a real kube-apiserver and on the embedded
// one, and compares what is printed and how it ends:
//
//     KUBECTL=/path/to/kubectl npm run kubectl:real [-- --kubeconfig FILE] [--only TEXT]
//
// The real control plane comes from KUBEBUILDER_ASSETS, or it runs already (--kubeconfig).
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commands, manifests } from '../test/kubectl/script.ts'
import { startControlPlane } from './control-plane.ts'

const { values } = parseArgs({
  options: { kubeconfig: { type: 'string' }, only: { type: 'string', default: '' } },
})
const kubectl = process.env['KUBECTL'] ?? 'kubectl'

interface Outcome {
  readonly code: number | null
  readonly text: string
}

/** The words of a command; quotes are not needed, `{...}` and `[...]` are one word. */
function wordsOf(command: string): string[] {
  return command.match(/(?:\{.*\}|\[.*\]|--schedule=\S+ \S+ \S+ \S+ \S+|\S)+/g) ?? []
}

function run(folder: string, kubeconfig: string, command: string): Outcome {
  const result = spawnSync(kubectl, wordsOf(command), {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      ...process.env,
      KUBECONFIG: kubeconfig,
      HOME: join(folder, `home-${kubeconfig.replace(/\W/g, '')}`),
      KUBE_EDITOR: 'sed -i s/alpine/debian/',
    },
  })
  return { code: result.status, text: normalised(`${result.stdout}${result.stderr}`) }
}

/** What two servers cannot agree on. */
function normalised(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d \+0000/g, 'DATE')
    .replace(/\b(\d+[smhd])+\b( +|$)/gm, 'AGE ')
    .replace(/resourceVersion: "\d+"/g, 'resourceVersion: "RV"')
    .replace(/"resourceVersion": "\d+"/g, '"resourceVersion": "RV"')
    .replace(/Resource Version: +\d+/g, 'Resource Version: RV')
    .replace(/127\.0\.0\.1:\d+/g, 'SERVER')
    .replace(/10\.96\.(?!0\.1\b|1\.1\b)\d+\.\d+/g, 'CLUSTER-IP')
    .replace(/kube-api-access-\w{5}/g, 'kube-api-access-XXXXX')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
    .replace(/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256=HASH')
    .replace(/LIVE-\d+|MERGED-\d+/g, 'TMP')
    .replace(/\t20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000/g, ' TIME')
    .replace(/[ \t]+$/gm, '')
    .replace(/ {2,}/g, '  ')
}

/** Starts the embedded server as users do, as a process of its own. */
async function startEmbedded(folder: string): Promise<{ kubeconfig: string; stop: () => void }> {
  const kubeconfig = join(folder, 'embedded-kubeconfig')
  const script = fileURLToPath(new URL('cluster.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, '--kubeconfig', kubeconfig, '--workloads', 'off'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  for await (const chunk of child.stdout) if (String(chunk).startsWith('ready ')) break
  return { kubeconfig, stop: () => void child.kill('SIGTERM') }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-kubectl-'))
  for (const [name, text] of Object.entries(manifests)) writeFileSync(join(folder, name), text)
  const plane = values.kubeconfig === undefined ? await startControlPlane(folder) : undefined
  const embedded = await startEmbedded(folder)
  let differences = 0
  try {
    const real = values.kubeconfig ?? plane?.kubeconfig ?? ''
    for (const server of [real, embedded.kubeconfig])
      run(folder, server, 'create serviceaccount default')
    for (const command of commands) {
      const expected = run(folder, real, command)
      const actual = run(folder, embedded.kubeconfig, command)
      if (!command.includes(values.only)) continue
      if (expected.code === actual.code && expected.text === actual.text) continue
      differences += 1
      console.log(`kubectl ${command}`)
      console.log(`  real (${expected.code})\n${indented(expected.text)}`)
      console.log(`  embedded (${actual.code})\n${indented(actual.text)}`)
    }
    console.log(`${commands.length} commands, ${differences} with differences`)
  } finally {
    embedded.stop()
    await plane?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  process.exitCode = differences === 0 ? 0 : 1
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}

await main()
