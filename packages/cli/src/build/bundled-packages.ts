import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import type { Files } from 'setpoint/host'

/** A package that is part of a bundle. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  readonly license: string | undefined
  /** Its dependencies that are in the bundle. */
  readonly needs: readonly string[]
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string | { readonly type?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The packages whose files are in a bundle, sorted by name, for its SBOM. */
export async function bundledPackages(
  host: Files,
  metafile: Metafile,
  { folder, own }: { readonly folder: string; readonly own: string },
): Promise<BundledPackage[]> {
  const code = Object.entries(metafile.outputs).filter(([path]) => !path.endsWith('.map'))
  const used = code.flatMap(([, { inputs }]) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [path] : [],
    ),
  )
  const manifests = new Map<string, Manifest>()
  for (const root of new Set(
    await Promise.all(used.map(async (path) => rootOf(host, join(folder, path)))),
  )) {
    if (root === undefined) continue
    const text = new TextDecoder().decode(await host.readFile(join(root, 'package.json')))
    const manifest = JSON.parse(text) as Manifest
    if (manifest.name !== undefined && manifest.name !== own) {
      manifests.set(`${manifest.name}@${manifest.version ?? ''}`, manifest)
    }
  }
  const names = new Set([...manifests.values()].map(({ name }) => name))
  return [...manifests]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, { name = '', version = '', license, dependencies, peerDependencies }]) => ({
      name,
      version,
      license: typeof license === 'string' ? license : license?.type,
      needs: Object.keys({ ...dependencies, ...peerDependencies })
        .filter((each) => names.has(each))
        .sort(),
    }))
}

/** The folder of the package that a file belongs to: the nearest manifest with a name. */
async function rootOf(host: Files, path: string): Promise<string | undefined> {
  for (let at = join(path, '..'); at !== join(at, '..'); at = join(at, '..')) {
    const manifest = join(at, 'package.json')
    if ((await host.fileInfo(manifest)) === undefined) continue
    // Some packages have a nameless package.json in a subfolder that only sets the module type.
    const { name } = JSON.parse(new TextDecoder().decode(await host.readFile(manifest))) as Manifest
    if (name !== undefined) return at
  }
  return undefined
}
