import { dirname, join } from 'node:path'
import type { Host } from 'setpoint/host'

/** Whether a file has objects of Kubernetes, by its name. */
export function isManifest(name: string): boolean {
  return /\.(?:ya?ml|json)$/.test(name)
}

/**
 * The sample files: files of `setpoint generate`, and files that users write next to an operator.
 */
export async function sampleFiles(
  host: Host,
  { folder, file }: { readonly folder: string; readonly file: string },
): Promise<string[]> {
  const ownFolder = dirname(file)
  const found: string[] = []
  for (const place of new Set([
    join(folder, 'config/samples'),
    join(folder, 'samples'),
    join(ownFolder, 'samples'),
  ])) {
    if ((await host.fileInfo(place))?.isDirectory !== true) continue
    const names = (await host.listDirectory(place)).filter(isManifest)
    found.push(
      ...names.filter((name) => name !== 'kustomization.yaml').map((name) => join(place, name)),
    )
  }
  for (const path of new Set([join(folder, 'sample.yaml'), join(ownFolder, 'sample.yaml')])) {
    if ((await host.fileInfo(path)) !== undefined) found.push(path)
  }
  return found
}
