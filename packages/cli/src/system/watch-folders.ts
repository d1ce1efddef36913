import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

/**
 * Calls `onChange` with the path of every changed, created or removed file directly in these
 * folders.
 */
export class FolderWatch implements Disposable {
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #onChange: (path: string) => void

  constructor(onChange: (path: string) => void) {
    this.#onChange = onChange
  }

  /**
   * Replaces the watched folders. A missing folder is ignored; folders that cannot be watched are
   * returned with the reason.
   */
  set(folders: Iterable<string>): [folder: string, why: string][] {
    const requested = new Set(folders)
    for (const [folder, watcher] of this.#watchers) {
      if (requested.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    return [...requested].flatMap((folder) => {
      const why = this.#watchers.has(folder) ? undefined : this.#add(folder)
      return why === undefined ? [] : [[folder, why]]
    })
  }

  #add(folder: string): string | undefined {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name !== null) this.#onChange(join(folder, name))
      })
      watcher.on('error', () => this.#watchers.delete(folder))
      this.#watchers.set(folder, watcher)
      return undefined
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return code === 'ENOENT' ? undefined : message
    }
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }
}
