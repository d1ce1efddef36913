import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { fileError } from '../file-error.ts'
import type { Files } from '../host.ts'

/** The file system of the machine. */
export const nodeFiles: Files = {
  readFile: async (path) => {
    // A plain array: Buffer differs in `slice` and in equality.
    const data = await explained('read', path, readFile(path))
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  },
  writeFile: async (path, data, options) => {
    const temporary = `${path}.${randomUUID()}.tmp`
    try {
      await explained('write', path, writeFile(temporary, data, { ...options, flush: true }))
      await explained('write', path, rename(temporary, path))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  },
  listDirectory: async (path) => (await explained('list', path, readdir(path))).sort(),
  makeDirectory: async (path) => {
    await explained('create', path, mkdir(path, { recursive: true }))
  },
  remove: async (path) => {
    try {
      await rm(path, { recursive: true, force: true })
    } catch (cause) {
      const error = fileError('remove', path, cause)
      if (error.code !== 'FILE_NOT_FOUND') throw error
    }
  },
  fileInfo: async (path) => {
    try {
      const info = await stat(path)
      return {
        sizeBytes: info.isDirectory() ? 0 : info.size,
        modifiedMs: Math.floor(info.mtimeMs),
        isDirectory: info.isDirectory(),
      }
    } catch (cause) {
      const error = fileError('inspect', path, cause)
      if (error.code === 'FILE_NOT_FOUND') return undefined
      throw error
    }
  },
}

async function explained<Result>(
  action: string,
  path: string,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw fileError(action, path, cause)
  }
}
