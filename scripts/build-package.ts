/**
 * Builds the package in the current folder: declarations by the compiler, file by file, and the
 * code by `bundle-package.ts`; `prune-declarations.ts` removes declarations that no entry uses.
 * With `--unchecked` types are not checked, for callers that have checked them already.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundlePackage, entryPointsOf } from './bundle-package.ts'
import { pruneDeclarations } from './prune-declarations.ts'

const entryPoints = entryPointsOf('.')
rmSync('dist', { recursive: true, force: true })
const compiler = fileURLToPath(import.meta.resolve('typescript-7/package.json'))
const checks = process.argv.includes('--unchecked') ? ['--noCheck'] : []
execFileSync(
  process.execPath,
  [compiler.replace('package.json', 'bin/tsc'), '--project', 'tsconfig.build.json', ...checks],
  { stdio: 'inherit' },
)
await bundlePackage(process.cwd(), 'dist')
pruneDeclarations(entryPoints.map((entry) => entry.replace('src', 'dist').replace(/ts$/, 'd.ts')))
