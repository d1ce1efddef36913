#!/usr/bin/env node
// The command `setpoint`. In the repository, where nothing is built, it runs the sources in a
// second process, because the TypeScript loader must be registered at the start of a process.
// @ts-check
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const condition = '--conditions=@setpoint/source'

function startFromSources() {
  const loader = import.meta.resolve('tsx')
  const args = ['--import', loader, condition, fileURLToPath(import.meta.url)]
  const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal sends Ctrl-C to both processes; other signals are forwarded.
  process.on('SIGINT', () => undefined)
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  // npm's shell ends without ending this process.
  const parent = process.ppid
  const check = () => void (process.ppid === parent || child.kill('SIGTERM'))
  if (process.env['npm_command'] !== undefined) setInterval(check, 500)
  child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
}

if (!existsSync(new URL('../src/index.ts', import.meta.url))) {
  const { main } = await import('../dist/index.js')
  await main()
} else if (process.execArgv.includes(condition)) {
  const { main } = await import('../src/index.ts')
  await main()
} else {
  startFromSources()
}
