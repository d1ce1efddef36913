/**
 * `npm run draw:dev`: records `setpoint dev` at work on the first example and draws docs/images/dev.svg. After the sample
 * is ready, another process scales its Deployment, and the recording shows that the operator corrects the drift.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { terminalSvg } from './terminal-svg.ts'

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const bin = `${root}/node_modules/.bin/setpoint`
const args = ['dev', 'operators/01-application/operator.ts', '--samples']
const scale = ['kubectl', 'scale', 'deployment', 'nginx', '--replicas=5']

const lines = [`$ npx setpoint ${args.join(' ')}`]
const dev: ChildProcess = spawn(bin, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
if (dev.stdout === null) throw new Error('setpoint dev has no standard output')

createInterface({ input: dev.stdout }).on('line', (line) => {
  lines.push(line.replaceAll(root, '~/setpoint').trimEnd())
})

/** Waits for a line, and for the lines that belong to it. */
async function waitForOutput(text: string): Promise<void> {
  for (let attempts = 0; !lines.some((line) => line.includes(text)); attempts += 1) {
    if (attempts > 300) throw new Error(`setpoint dev did not print "${text}"`)
    await setTimeout(100)
  }
  await setTimeout(1_000)
}

await waitForOutput('Ready=True')
lines.push('', `# in another terminal: ${scale.join(' ')}`)
const kubeconfig = `${root}/.setpoint/kubeconfig`
const scaling = spawn(bin, [...scale, '--kubeconfig', kubeconfig], { cwd: root, stdio: 'ignore' })
await once(scaling, 'exit')
await waitForOutput('spec.replicas')
const recorded = [...lines]
dev.kill('SIGTERM')
await once(dev, 'exit')
writeFileSync(
  new URL('../docs/images/dev.svg', import.meta.url),
  terminalSvg('setpoint dev runs an operator on an embedded cluster', recorded),
)
