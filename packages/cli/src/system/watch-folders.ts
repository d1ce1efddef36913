import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

/** Calls `onChange` with the path of whatever is written, made or removed in these folders (not below them). */
export class FolderWatch implements Disposable {
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #onChange: (path: string) => void

  constructor(onChange: (path: string) => void) {
    this.#onChange = onChange
  }

  /** Watches these folders from now on, and no others. One that is gone is left out. */
  set(folders: Iterable<string>): void {
    const wanted = new Set(folders)
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#add(folder)
  }

  #add(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name !== null) this.#onChange(join(folder, name))
      })
      watcher.on('error', () => this.#watchers.delete(folder))
      this.#watchers.set(folder, watcher)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }
}
