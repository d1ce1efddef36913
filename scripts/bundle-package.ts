import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly '@setpoint/source': string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The source files of a package's `exports`. */
export function entryPointsOf(folder: string): string[] {
  const { exports } = manifestOf(folder)
  return Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry['@setpoint/source']],
  )
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/**
 * Bundles a package as one module per entry of `exports`, with shared code in chunks. Node then
 * loads a few files instead of hundreds, which took most of the time of an import. White space is
 * removed and names are kept, so that stack traces stay readable. Dependencies remain imports;
 * development dependencies are bundled (and named in the package's NOTICE): `yaml` is 70 CommonJS
 * files, which took a third of a cold start.
 */
export async function bundlePackage(folder: string, outdir: string): Promise<void> {
  const { dependencies, peerDependencies } = manifestOf(folder)
  const external = Object.keys({ ...dependencies, ...peerDependencies })
  const yaml = fileURLToPath(new URL('../node_modules/yaml/browser/index.js', import.meta.url))
  await build({
    absWorkingDir: folder,
    entryPoints: entryPointsOf(folder),
    outbase: 'src',
    outdir,
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
    // Our own packages are bundled from their sources, so that the order of builds does not matter.
    conditions: ['@setpoint/source'],
    logLevel: 'error',
  })
}
