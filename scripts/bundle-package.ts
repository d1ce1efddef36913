import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly '@setpoint/source': string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The sources that a package's `exports` lead to, from its folder. */
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
 * The code of a package as one module per entry of `exports`, with what they share in chunks. Node loads a handful of
 * files instead of hundreds, which is most of the time that importing us took. Space is taken out and names are kept, so
 * that stack traces say where something happened. Dependencies stay imports; what is only a development dependency is
 * compiled in (and named in the package's NOTICE): `yaml` is 70 CommonJS files, which cost a third of a cold start.
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
    // Packages of ours that are compiled in come from their sources, in whatever order packages are built.
    conditions: ['@setpoint/source'],
    logLevel: 'error',
  })
}
