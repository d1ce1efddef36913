import { posix } from 'node:path'
import { fileError } from '../file-error.ts'
import type { FileInfo, Files } from '../host.ts'
import type { JournalFiles } from '../journal-files.ts'
import type { Scheduler } from './scheduler.ts'

interface VirtualFile {
  readonly data: Uint8Array
  readonly modifiedMs: number
}

/** The dependencies of in-memory files. */
interface VirtualFilesOptions {
  readonly scheduler: Scheduler
  readonly now: () => number
  /** Content by path; parent directories are created. */
  readonly files: Readonly<Record<string, string | Uint8Array>>
}

/**
 * A file system in memory. Every operation is an action of the scheduler, so that the seed decides
 * the order of concurrent reads and writes. Permissions are not modelled.
 */
export function virtualFiles(options: VirtualFilesOptions): Files & JournalFiles {
  const tree = new FileTree(options.now)
  for (const [path, data] of Object.entries(options.files)) {
    tree.makeDirectory(posix.dirname(absolute(path)))
    tree.write(absolute(path), data)
  }
  const inTurn = <Result>(action: string, path: string, work: (path: string) => Result) =>
    new Promise<Result>((resolve, reject) => {
      const run = () => {
        try {
          resolve(work(absolute(path)))
        } catch (cause) {
          reject(fileError(action, path, cause))
        }
      }
      options.scheduler.soon({ label: `${action} ${path}`, run })
    })
  return {
    readFile: (path) => inTurn('read', path, (at) => tree.read(at)),
    writeFile: (path, data) => inTurn('write', path, (at) => tree.write(at, data)),
    listDirectory: (path) => inTurn('list', path, (at) => tree.list(at)),
    makeDirectory: (path) => inTurn('create', path, (at) => tree.makeDirectory(at)),
    remove: (path) => inTurn('remove', path, (at) => tree.remove(at)),
    fileInfo: (path) => inTurn('inspect', path, (at) => tree.info(at)),
    openJournal: (path) =>
      inTurn('open', path, (at) => {
        tree.append(at, '')
        return { append: (text) => tree.append(at, text), close: () => undefined }
      }),
    lockDirectory: (path) => inTurn('lock', path, (at) => tree.lock(at)),
  }
}

/** Paths of files, and of directories, which are `undefined`. */
class FileTree {
  readonly #nodes = new Map<string, VirtualFile | undefined>([['/', undefined]])
  readonly #locked = new Set<string>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  read(path: string): Uint8Array {
    const file = this.#nodes.get(path)
    if (file === undefined) {
      throw this.#nodes.has(path) ? systemError('EISDIR') : systemError('ENOENT')
    }
    return new Uint8Array(file.data)
  }

  write(path: string, data: string | Uint8Array): void {
    this.#requireDirectory(posix.dirname(path))
    if (this.#isDirectory(path)) throw systemError('EISDIR')
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data)
    this.#nodes.set(path, { data: bytes, modifiedMs: this.#now() })
  }

  append(path: string, text: string): void {
    const before = this.#nodes.get(path)?.data ?? new Uint8Array()
    const added = new TextEncoder().encode(text)
    const data = new Uint8Array(before.length + added.length)
    data.set(before)
    data.set(added, before.length)
    this.write(path, data)
  }

  lock(path: string): AsyncDisposable | undefined {
    this.#requireDirectory(path)
    if (this.#locked.has(path)) return undefined
    this.#locked.add(path)
    return { [Symbol.asyncDispose]: async () => void this.#locked.delete(path) }
  }

  list(path: string): string[] {
    this.#requireDirectory(path)
    return [...this.#nodes.keys()]
      .filter((other) => other !== '/' && posix.dirname(other) === path)
      .map((child) => posix.basename(child))
      .sort()
  }

  makeDirectory(path: string): void {
    if (this.#isDirectory(path)) return
    if (this.#nodes.has(path)) throw systemError('EEXIST')
    this.makeDirectory(posix.dirname(path))
    this.#nodes.set(path, undefined)
  }

  remove(path: string): void {
    for (const other of [...this.#nodes.keys()]) {
      if (other === path || other.startsWith(`${path}/`)) this.#nodes.delete(other)
    }
  }

  info(path: string): FileInfo | undefined {
    const file = this.#nodes.get(path)
    if (file !== undefined) {
      return { sizeBytes: file.data.length, modifiedMs: file.modifiedMs, isDirectory: false }
    }
    return this.#nodes.has(path) ? { sizeBytes: 0, modifiedMs: 0, isDirectory: true } : undefined
  }

  #isDirectory(path: string): boolean {
    return this.#nodes.has(path) && this.#nodes.get(path) === undefined
  }

  #requireDirectory(path: string): void {
    if (!this.#nodes.has(path)) throw systemError('ENOENT')
    if (!this.#isDirectory(path)) throw systemError('ENOTDIR')
  }
}

/** An error with the code of the operating system, so that both hosts report it alike. */
function systemError(code: 'EEXIST' | 'EISDIR' | 'ENOENT' | 'ENOTDIR'): Error {
  return Object.assign(new Error(code), { code })
}

function absolute(path: string): string {
  return posix.resolve('/', path)
}
