import { createHash } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileError } from '../file-error.ts'
import type { JournalFile, JournalFiles } from '../journal-files.ts'

/** The journals of the machine. */
export const nodeJournalFiles: JournalFiles = {
  openJournal: async (path, { mode = 0o600 } = {}) => {
    try {
      return journalFile(path, openSync(path, 'a', mode))
    } catch (cause) {
      throw fileError('open', path, cause)
    }
  },
  lockDirectory: async (path) => {
    let folder: string
    try {
      folder = await realpath(path)
    } catch (cause) {
      throw fileError('lock', path, cause)
    }
    const address = lockAddress(folder)
    const server = (await listening(address)) ?? (await afterLostOwner(address))
    if (server === undefined) return undefined
    // The lock must not keep the process running.
    server.unref()
    return {
      [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
    }
  },
}

function journalFile(path: string, file: number): JournalFile {
  let size = fstatSync(file).size
  return {
    append: (text) => {
      const bytes = Buffer.from(text)
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
        size += bytes.length
      } catch (cause) {
        ftruncateSync(file, size)
        throw fileError('append to', path, cause)
      }
    },
    close: () => closeSync(file),
  }
}

/**
 * A lock is a listening socket, because the system releases it with the process. On Linux its name
 * is not a file.
 */
function lockAddress(folder: string): string {
  const name = createHash('sha256').update(folder).digest('hex')
  if (process.platform === 'linux') return `\0setpoint-${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\setpoint-${name}` : join(folder, 'lock')
}

async function listening(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(fileError('lock', address, error))
    })
    server.listen(address, () => resolve(server))
  })
}

/** The socket file of a killed process stays, and refuses connections. */
async function afterLostOwner(address: string): Promise<Server | undefined> {
  if (address.startsWith('\0') || address.startsWith('\\\\')) return undefined
  const isHeld = await new Promise<boolean>((resolve) => {
    const socket = connect(address, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
  if (isHeld) return undefined
  await rm(address, { force: true })
  return listening(address)
}
