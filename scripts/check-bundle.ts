// `npm run check:bundle`: writes the bundles of example operators and checks them with the Operator
// Framework's own validators. It needs `operator-verify` of github.com/operator-framework/api on the
// PATH.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const setpoint = join(root, 'packages/cli/bin/setpoint.mjs')

for (const name of ['01-application', '05-sample-db', '07-pod-usage']) {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-bundle-'))
  const image = ['--image', `registry.example.com/${name}:1.0.0`]
  const options = { cwd: join(root, 'operators', name) }
  const words = ['bundle', 'operator.ts', '--no-typecheck', ...image, '--output', join(folder, 'b')]
  execFileSync(process.execPath, [setpoint, ...words], options)
  console.log(`${name}: operator-verify manifests`)
  execFileSync('operator-verify', ['manifests', join(folder, 'b/manifests')], { stdio: 'inherit' })
  rmSync(folder, { recursive: true })
}
