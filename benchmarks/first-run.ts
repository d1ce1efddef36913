/**
 * `npm run bench:first-run`: the time from an empty folder to an operator that reconciles, for a
 * new user: `create-setpoint` from packed tarballs, an empty npm cache, `npm run dev` until the
 * sample is ready; then a change of the source until the new operator works. Writes
 * docs/measurements/first-run.md.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { commitNow, machineText } from './machine.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'setpoint-first-run-'))
const rounds = 3

interface Round {
  readonly createMs: number
  readonly readyMs: number
  readonly reloadMs: number
  readonly modulesBytes: number
  readonly packages: number
}

function npm(args: readonly string[], cwd: string, cache?: string): void {
  const env = cache === undefined ? process.env : { ...process.env, npm_config_cache: cache }
  execFileSync('npm', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function round(number: number, tarballs: string): Promise<Round> {
  const cwd = mkdtempSync(join(folder, `round-${number}-`))
  const cache = join(folder, `cache-${number}`)
  const startMs = performance.now()
  const create = join(
    tarballs,
    readdirSync(tarballs).find((name) => name.startsWith('create-')) ?? '',
  )
  const words = ['create-setpoint', 'my-operator', '--yes', '--packages', tarballs]
  npm(['exec', '--yes', `--package=${create}`, '--', ...words], cwd, cache)
  const createdMs = performance.now()
  const project = join(cwd, 'my-operator')
  const modules = join(project, 'node_modules')
  const { readyMs, reloadMs } = await measureDev(project)
  return {
    createMs: createdMs - startMs,
    readyMs,
    reloadMs,
    modulesBytes: bytesBelow(modules),
    packages: readdirSync(modules).filter((name) => !name.startsWith('.')).length,
  }
}

/** Runs `npm run dev`, and saves a file once the sample is ready. */
async function measureDev(project: string): Promise<{ readyMs: number; reloadMs: number }> {
  const startMs = performance.now()
  const dev = spawn('npm', ['run', 'dev', '--', '--json'], { cwd: project, detached: true })
  let [readyMs, savedMs] = [0, 0]
  try {
    for await (const line of createInterface({ input: dev.stdout })) {
      if (readyMs === 0 && line.includes('"type":"Ready","status":"True"')) {
        readyMs = performance.now() - startMs
        const source = join(project, 'src/website.ts')
        writeFileSync(source, `${readFileSync(source, 'utf8')}// saved\n`)
        savedMs = performance.now()
      } else if (savedMs > 0 && line.includes('"is":"working"')) {
        return { readyMs, reloadMs: performance.now() - savedMs }
      }
    }
    throw new Error('setpoint dev ended before the sample was ready')
  } finally {
    if (dev.pid !== undefined) process.kill(-dev.pid, 'SIGTERM')
  }
}

function bytesBelow(path: string): number {
  const names = readdirSync(path, { withFileTypes: true, recursive: true })
  return names.reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  )
}

try {
  npm(['run', 'build'], root)
  const tarballs = mkdtempSync(join(folder, 'tarballs-'))
  npm(['pack', '--workspaces', '--pack-destination', tarballs], root)
  const taken: Round[] = []
  for (let number = 1; number <= rounds; number += 1) taken.push(await round(number, tarballs))
  const seconds = (pick: (each: Round) => number): string =>
    taken.map((each) => (pick(each) / 1000).toFixed(1)).join(', ')
  const text = `# From an empty folder to an operator that reconciles

Three rounds, each with an empty npm cache; packages of others come from the registry.

| what                                                                 | seconds |
| -------------------------------------------------------------------- | ------: |
| \`create-setpoint my-operator --yes\` from tarballs, installation included | ${seconds(({ createMs }) => createMs)} |
| \`npm run dev\` until the sample is Ready                              | ${seconds(({ readyMs }) => readyMs)} |
| all of it                                                            | ${seconds(({ createMs, readyMs }) => createMs + readyMs)} |
| saving a file until the new operator works                           | ${seconds(({ reloadMs }) => reloadMs)} |

\`node_modules\` of the project: ${Math.round((taken[0]?.modulesBytes ?? 0) / 1e6)} MB in ${taken[0]?.packages ?? 0} folders, most of it TypeScript, vitest and esbuild; a
deployed operator has none of it.

Measured by \`npm run bench:first-run\` at commit ${commitNow()} on ${machineText()}, Node ${process.version}.
`
  writeFileSync(join(root, 'docs/measurements/first-run.md'), text)
  console.log(text)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
