import type { Files } from 'setpoint/host'
import type { VolumeContent, VolumeFile } from './volume-files.ts'
import { MissingSource } from './pod-sources.ts'

/** The directory of a pod in which volumes are at their mount paths. */
export const podRoot = '/root'

/**
 * The directories of a cluster with process nodes: one for each pod and one for each persistent
 * volume.
 */
export class ProcessDirectories {
  readonly #files: Files
  readonly #root: string
  /** The files that were written, by directory, to detect changes. */
  readonly #written = new Map<string, ReadonlyMap<string, VolumeFile>>()

  constructor(files: Files, root: string) {
    this.#files = files
    this.#root = root
  }

  /** The directory of a pod. */
  podDirectory(uid: string): string {
    return `${this.#root}/pods/${uid}`
  }

  /** Empties the directory of a container before a run. */
  async freshContainer(uid: string, container: string): Promise<string> {
    const path = this.containerDirectory(uid, container)
    await this.#files.remove(path)
    await this.#files.makeDirectory(path)
    return path
  }

  containerDirectory(uid: string, container: string): string {
    return `${this.podDirectory(uid)}/containers/${container}`
  }

  /**
   * Creates or updates a volume of a pod and returns its directory. Files that a program wrote are
   * kept. Files of the API are at `mountPath`, if it is given, so that programs find several
   * volumes below one directory.
   */
  async volume(
    uid: string,
    { name, mountPath }: { readonly name: string; readonly mountPath?: string | undefined },
    content: VolumeContent,
  ): Promise<string> {
    if ('path' in content) return this.#prepareHostPath(content.path)
    const below =
      'files' in content && mountPath !== undefined ? `${podRoot}${mountPath}` : `/volumes/${name}`
    const path =
      'volume' in content
        ? `${this.#root}/volumes/${content.volume}`
        : `${this.podDirectory(uid)}${below}`
    await this.#files.makeDirectory(path)
    if ('files' in content) await this.#write(path, content.files)
    return path
  }

  async removePod(uid: string): Promise<void> {
    const path = this.podDirectory(uid)
    for (const directory of [...this.#written.keys()]) {
      if (directory.startsWith(`${path}/`)) this.#written.delete(directory)
    }
    await this.#files.remove(path)
  }

  async removeVolume(name: string): Promise<void> {
    await this.#files.remove(`${this.#root}/volumes/${name}`)
  }

  /** A hostPath is allowed only below the cluster's own directory. */
  async #prepareHostPath(path: string): Promise<string> {
    const isOurs = path.startsWith(`${this.#root}/`) && !path.split('/').includes('..')
    if (!isOurs) {
      throw new MissingSource(
        `the hostPath ${path} is refused: only paths below ${this.#root} are allowed`,
      )
    }
    await this.#files.makeDirectory(path)
    return path
  }

  async #write(directory: string, files: readonly VolumeFile[]): Promise<void> {
    const before = this.#written.get(directory) ?? new Map<string, VolumeFile>()
    const desired = new Map(files.map((file) => [file.path, file]))
    for (const path of before.keys()) {
      if (!desired.has(path)) await this.#files.remove(`${directory}/${path}`)
    }
    for (const file of desired.values()) {
      const { path, data, mode } = file
      if (isSame(before.get(path), file)) continue
      const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
      if (parent !== '') await this.#files.makeDirectory(`${directory}/${parent}`)
      await this.#files.writeFile(`${directory}/${path}`, data, { mode })
    }
    this.#written.set(directory, desired)
  }
}

function isSame(before: VolumeFile | undefined, after: VolumeFile): boolean {
  if (before === undefined || before.mode !== after.mode) return false
  const [old, now] = [Buffer.from(before.data), Buffer.from(after.data)]
  return old.equals(now)
}
