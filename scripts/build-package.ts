/**
 * Builds the package in the current folder: declarations by the compiler, file by file, and the code as
 * one module per entry of `exports` with what they share in chunks. Node loads a handful of files instead
 * of hundreds, which is most of the time that importing us took. Space is taken out and names are kept, so that
 * stack traces say where something happened. Declarations that no entry leads to are left out. Dependencies stay
 * imports; what is only a development dependency is compiled in (and named in the package's NOTICE): `yaml` is 70
 * CommonJS files, which cost a third of a cold start.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly '@setpoint/source': string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const entryPoints = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry['@setpoint/source']],
)
rmSync('dist', { recursive: true, force: true })
const compiler = fileURLToPath(import.meta.resolve('typescript-7/package.json'))
execFileSync(
  process.execPath,
  [compiler.replace('package.json', 'bin/tsc'), '--project', 'tsconfig.build.json'],
  { stdio: 'inherit' },
)
const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
const yaml = fileURLToPath(new URL('../node_modules/yaml/browser/index.js', import.meta.url))
await build({
  entryPoints,
  outbase: 'src',
  outdir: 'dist',
  chunkNames: 'chunks/[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  alias: external.includes('yaml') ? {} : { yaml },
  external,
  // Packages of ours that are compiled in come from their sources, in whatever order packages are built.
  conditions: ['@setpoint/source'],
})
removeUnreachable(entryPoints.map((entry) => entry.replace('src', 'dist').replace(/ts$/, 'd.ts')))

/** Removes declarations of files that are compiled into an entry and show nothing of themselves in its types. */
function removeUnreachable(entries: readonly string[]): void {
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
    if (path.endsWith('.d.ts') && !reached.has(path)) rmSync(path)
  }
}
