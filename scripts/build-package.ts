/**
 * Builds the package in the current folder: declarations by the compiler, file by file, and the code by
 * `bundle-package.ts`. Declarations that no entry leads to are left out, others are indented with tabs: 4 % of them were spaces.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePackage, entryPointsOf } from './bundle-package.ts'

const entryPoints = entryPointsOf('.')
rmSync('dist', { recursive: true, force: true })
const compiler = fileURLToPath(import.meta.resolve('typescript-7/package.json'))
execFileSync(
  process.execPath,
  [compiler.replace('package.json', 'bin/tsc'), '--project', 'tsconfig.build.json'],
  { stdio: 'inherit' },
)
await bundlePackage(process.cwd(), 'dist')
tidyDeclarations(entryPoints.map((entry) => entry.replace('src', 'dist').replace(/ts$/, 'd.ts')))

/** Removes declarations of files that are compiled into an entry and show nothing of themselves in its types, and makes others smaller. */
function tidyDeclarations(entries: readonly string[]): void {
  const reached = new Set<string>()
  const queue = entries.map((entry) => normalize(entry))
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    const text = readFileSync(path, 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\() ?['"](\.[^'"]+)['"]/g)) {
      queue.push(join(dirname(path), specifier.replace(/\.[jt]s$/, '.d.ts')))
    }
  }
  for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
    const path = join('dist', name)
    if (!path.endsWith('.d.ts')) continue
    if (reached.has(path)) indentWithTabs(path)
    else rmSync(path)
  }
}

function indentWithTabs(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
  )
}
