import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

test('npm start shows an operator at work, and ends by itself', async () => {
  const script = ['--import', 'tsx', '--conditions=@setpoint/source', 'scripts/start.ts']
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: root })
  const titles = [...stdout.matchAll(/^# (\w+), as the cluster has it$/gm)].map(([, kind]) => kind)
  expect(titles).toEqual(['Application', 'Deployment', 'Service'])
})
