/** The shipped bytes: bundles of typical programs, and the published package. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bundleOf, bundlePartsOf } from '../test/bundle.ts'
import { table } from './table.ts'

const program = `import './operators/01-application/main.ts'`

const bundles = {
  'zod alone, a schema of three fields': `import * as z from 'zod'; console.log(z.object({ a: z.string(), b: z.int32().default(1), c: z.int32() }))`,
  'operators/01-application as a program (everything included)': program,
  'its definition alone (zod included)': `import { Application } from './operators/01-application/application.ts'; console.log(Application.crd())`,
  'one kind: Deployment with its helpers': `import { Deployment } from 'setpoint/kinds'; console.log(Deployment.kind)`,
  nodeHost: `import { nodeHost } from 'setpoint/host'; console.log(nodeHost)`,
  virtualHost: `import { virtualHost } from 'setpoint/host'; console.log(virtualHost)`,
}

export async function footprint(): Promise<string> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' })
  const pack = execFileSync('npm', ['pack', '--json', '--dry-run'], {
    cwd: `${root}packages/setpoint`,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [packed] = JSON.parse(pack) as [{ size: number; unpackedSize: number }]
  const rows: [string, number][] = []
  for (const [name, source] of Object.entries(bundles)) {
    rows.push([`bundle, minified: ${name}`, (await bundleOf(source)).length])
  }
  rows.push(['published package, packed', packed.size])
  rows.push(['published package, unpacked', packed.unpackedSize])
  const parts = (await bundlePartsOf(program)).slice(0, 14)
  return [
    'Bytes.',
    table(['what', 'bytes'], rows),
    'What costs most in operators/01-application as a program:',
    table(['part', 'bytes'], parts),
  ].join('\n\n')
}
