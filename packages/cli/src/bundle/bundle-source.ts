import { extname, join } from 'node:path'
import { parse } from 'yaml'
import { type CommandContext, CommandError } from '../command/index.ts'
import { type ManifestSource, projectManifests } from '../generate/index.ts'
import type { Project } from '../project/index.ts'
import type { BundleSource } from './bundle-files.ts'
import type { BundleOptions } from './bundle-settings.ts'
import type { CsvSource } from './cluster-service-version.ts'

/** Reads the files of the project that become part of its bundle. */
export async function bundleSource(
  context: CommandContext,
  source: ManifestSource,
  options: BundleOptions,
): Promise<BundleSource> {
  return {
    source,
    options,
    examples: await examplesOf(context, source),
    icon: await iconOf(context, source.project),
  }
}

/** The samples of the project, or generated ones if it has none. */
async function examplesOf({ host }: CommandContext, source: ManifestSource): Promise<unknown[]> {
  const samples = projectManifests(source).filter(({ isKept }) => isKept)
  return Promise.all(
    samples.map(async ({ path, text }): Promise<unknown> => {
      const place = join(source.project.folder, path)
      const isThere = (await host.fileInfo(place)) !== undefined
      return parse(isThere ? new TextDecoder().decode(await host.readFile(place)) : text) as unknown
    }),
  )
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
}

async function iconOf({ host }: CommandContext, project: Project): Promise<CsvSource['icon']> {
  const { icon } = project.settings.bundle ?? {}
  if (icon === undefined) return undefined
  const mediatype = mediaTypes[extname(icon).toLowerCase()]
  if (mediatype === undefined) {
    throw new CommandError(`the icon ${icon} has no known type`, {
      hint: `use a file with one of the endings ${Object.keys(mediaTypes).join(', ')}`,
    })
  }
  const bytes = await host.readFile(join(project.folder, icon))
  return { base64data: Buffer.from(bytes).toString('base64'), mediatype }
}
