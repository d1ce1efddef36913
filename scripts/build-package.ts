/**
 * Builds the package in the current folder: declarations by the compiler, file by file, and the code as
 * one module per entry of `exports` with what they share in chunks. Node loads a handful of files instead
 * of hundreds, which is most of the time that importing us took. Nothing is minified, the sources are
 * published beside it. Dependencies stay imports; what is only a development dependency is compiled in
 * (and named in the package's NOTICE): `yaml` is 70 CommonJS files, which cost a third of a cold start.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
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
  alias: { yaml: fileURLToPath(new URL('../node_modules/yaml/browser/index.js', import.meta.url)) },
  external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
})
