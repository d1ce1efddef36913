import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles and minifies a program as a user's build would, from the sources of this repository. */
export async function bundleOf(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: source,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Naming a condition replaces the one that esbuild has by itself.
    conditions: ['@setpoint/source', 'module'],
  })
  return outputFiles.map((file) => file.text).join('')
}
