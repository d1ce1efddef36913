import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

test('npm start shows a running operator and the next commands, and ends by itself in a script', async () => {
  const script = ['--import', 'tsx', '--conditions=@setpoint/source', 'scripts/start.ts']
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: root })
  expect(stdout).toContain('its sample          Application default/nginx')
  expect(stdout).toMatch(/Ready=False .*\n {2}Ready=True/)
  expect(stdout).toMatch(/its pod +nginx-\w+-\w+ on node-\d: Running/)
  expect(stdout).toContain('Next steps')
})
