import { fileURLToPath } from 'node:url'
import { build, type BuildResult } from 'esbuild'

type Bundled = BuildResult<{ write: false; metafile: true }>

/** Bundles and minifies a program from the sources of this repository, like a user's build. */
export async function bundleOf(source: string): Promise<string> {
  const { outputFiles } = await runEsbuild(source)
  return outputFiles.map((file) => file.text).join('')
}

/** The packages and folders in a bundle with their bytes, the largest first. */
export async function bundlePartsOf(source: string): Promise<[string, number][]> {
  const { metafile } = await runEsbuild(source)
  const parts = new Map<string, number>()
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = partName(path)
      parts.set(name, (parts.get(name) ?? 0) + bytesInOutput)
    }
  }
  return [...parts].sort(([, left], [, right]) => right - left)
}

function partName(path: string): string {
  const [, dependency] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  return dependency ?? path.split('/').slice(0, 4).join('/')
}

async function runEsbuild(source: string): Promise<Bundled> {
  return build({
    stdin: {
      contents: source,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // This list replaces esbuild's default conditions.
    conditions: ['@setpoint/source', 'module'],
  })
}
