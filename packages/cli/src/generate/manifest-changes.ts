import { join } from 'node:path'
import { isSetpointError } from 'setpoint'
import type { Host } from 'setpoint/host'
import { CommandError } from '../command/index.ts'
import { isGeneratedText } from './generated-text.ts'
import type { ManifestFile } from './project-manifests.ts'

/** The change of a manifest file. */
export interface ManifestChange {
  /** Relative to the folder of the manifests. */
  readonly path: string
  /** `kept`: an existing sample, which belongs to the user. */
  readonly change: 'created' | 'changed' | 'unchanged' | 'removed' | 'kept'
  /** The existing text. */
  readonly before: string | undefined
  /** The desired text. */
  readonly after: string | undefined
}

/**
 * Compares manifests with the files of a folder. Refuses to overwrite files that were not
 * generated.
 */
export async function manifestChanges(
  host: Host,
  folder: string,
  files: readonly ManifestFile[],
): Promise<ManifestChange[]> {
  const desired = await Promise.all(
    files.map(async ({ path, text, isKept }): Promise<ManifestChange> => {
      const before = await readIfExists(host, join(folder, path))
      if (before === undefined) return { path, change: 'created', before, after: text }
      if (isKept) return { path, change: 'kept', before, after: before }
      if (before === text) return { path, change: 'unchanged', before, after: text }
      if (isGeneratedText(before)) return { path, change: 'changed', before, after: text }
      throw new CommandError(`${join(folder, path)} was not generated and would be overwritten`, {
        hint: 'move or delete the file, or use another folder: --output DIR',
      })
    }),
  )
  const paths = new Set(files.map(({ path }) => path))
  const gone = (await generatedFiles(host, folder))
    .filter(({ path }) => !paths.has(path))
    .map(({ path, text }): ManifestChange => ({
      path,
      change: 'removed',
      before: text,
      after: undefined,
    }))
  return [...desired, ...gone].sort((left, right) => (left.path < right.path ? -1 : 1))
}

/** Writes the changes. */
export async function writeManifests(
  host: Host,
  folder: string,
  changes: readonly ManifestChange[],
): Promise<void> {
  for (const { path, change, after } of changes) {
    const place = join(folder, path)
    if (change === 'removed') await host.remove(place)
    if ((change === 'created' || change === 'changed') && after !== undefined) {
      await host.makeDirectory(join(place, '..'))
      await host.writeFile(place, after)
    }
  }
}

/** The folders of manifests; other folders are ignored. */
const folders = ['', 'crd', 'manager', 'monitoring', 'policies', 'rbac', 'samples', 'webhooks']

async function generatedFiles(
  host: Host,
  folder: string,
): Promise<{ readonly path: string; readonly text: string }[]> {
  const found = await Promise.all(
    folders.map(async (name) =>
      (await yamlFiles(host, join(folder, name))).map(({ path, text }) => ({
        path: name === '' ? path : `${name}/${path}`,
        text,
      })),
    ),
  )
  return found.flat().filter(({ text }) => isGeneratedText(text))
}

/** The YAML files of a folder, with their text; none when there is no such folder. */
export async function yamlFiles(
  host: Host,
  folder: string,
): Promise<{ readonly path: string; readonly text: string }[]> {
  if ((await host.fileInfo(folder))?.isDirectory !== true) return []
  const names = (await host.listDirectory(folder)).filter((name) => /\.ya?ml$/.test(name))
  const read = await Promise.all(
    names.map(async (path) => ({ path, text: await readIfExists(host, join(folder, path)) })),
  )
  return read.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]))
}

async function readIfExists(host: Host, path: string): Promise<string | undefined> {
  if ((await host.fileInfo(path))?.isDirectory === true) return undefined
  try {
    return new TextDecoder().decode(await host.readFile(path))
  } catch (error) {
    if (isSetpointError(error, 'FILE_NOT_FOUND')) return undefined
    throw error
  }
}
