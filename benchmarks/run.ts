/**
 * `npm run bench`: runs the measurements and writes them to docs/measurements/, each with the
 * commit and the machine. Machines are noisy: compare rows of one run with each other, not
 * different runs.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { footprint } from './footprint.ts'
import { hostSpeed } from './host-speed.ts'
import { schemaSpeed } from './schema-speed.ts'
import { typeCheckCost } from './type-check-cost.ts'

const folder = fileURLToPath(new URL('../docs/measurements/', import.meta.url))
const measurements = {
  footprint: ['Footprint', footprint],
  'type-check': ['Type-check cost of definitions and operators', typeCheckCost],
  host: ['Speed of the hosts', hostSpeed],
  schema: ['Speed of definitions and the schema engine', schemaSpeed],
} as const

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const [cpu] = cpus()
const machine = `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), Node ${process.version}`

await mkdir(folder, { recursive: true })
for (const [name, [title, measure]] of Object.entries(measurements)) {
  const text = `# ${title}\n\n${await measure()}\n\nMeasured by \`npm run bench\` at commit ${commit} on ${machine}.\n`
  await writeFile(`${folder}${name}.md`, text)
  console.log(text)
}
