#!/usr/bin/env node
// The command `npm create setpoint`. In the repository, where nothing is built, the command line does it.
// @ts-check
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

if (existsSync(new URL('../src/index.ts', import.meta.url))) {
  const setpoint = fileURLToPath(new URL('../../cli/bin/setpoint.mjs', import.meta.url))
  const args = [setpoint, 'new', ...process.argv.slice(2)]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  child.once('exit', (code) => process.exit(code ?? 1))
} else {
  const { main } = await import('../dist/index.js')
  await main()
}
