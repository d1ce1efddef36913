import { posix } from 'node:path'
import { SetpointError } from 'setpoint'
import type { Files, JournalFile, JournalFiles, LogSink, Timers } from 'setpoint/host'
import type { Store, StoreEntry, StoreSnapshot } from '../store/index.ts'
import { journalLine } from './journal-lines.ts'
import { headerOf, recordOf } from './journal-records.ts'
import {
  generationOf,
  logName,
  recover,
  type RecoveredState,
  snapshotName,
  UnreadableStateError,
} from './recover.ts'

/** The keys that clients and tokens of a cluster depend on. */
interface DirectoryIdentity {
  /** Signs the tokens of service accounts. */
  readonly tokenKey: string
  /** The certificate authority, as PEM text. */
  readonly authority: { readonly cert: string; readonly key: string }
  /**
   * The authority of the certificate for aggregated APIs. Directories of earlier versions have
   * none.
   */
  readonly frontProxy?: { readonly cert: string; readonly key: string }
}

interface DirectoryOptions {
  readonly host: Files & Timers & LogSink
  readonly journals: JournalFiles
  /** The length of a log after which a snapshot replaces it; 16 Mi characters by default. */
  readonly logCharactersMax?: number | undefined
}

const logCharactersDefault = 16 * 1024 * 1024

/** How many characters of a snapshot are written before other work may run. */
const chunkCharacters = 256 * 1024

const identityName = 'identity.json'
const unreadableHint =
  'restore the directory from a copy, or move it away to start with an empty cluster'

/** The directory with the state of a cluster, open in this process. */
export class DataDirectory {
  /** The state of an earlier process; `undefined` for a new directory. */
  readonly recovered: (RecoveredState & { readonly identity: DirectoryIdentity }) | undefined
  readonly #path: string
  readonly #options: DirectoryOptions
  readonly #lock: AsyncDisposable
  #generation: number
  #log: JournalFile | undefined
  #logCharacters = 0
  #store: Store | undefined
  #rotating: Promise<void> | undefined
  #isClosed = false

  private constructor(
    path: string,
    options: DirectoryOptions,
    opened: { readonly lock: AsyncDisposable; readonly recovered: DataDirectory['recovered'] },
  ) {
    this.#path = path
    this.#options = options
    this.#lock = opened.lock
    this.recovered = opened.recovered
    this.#generation = opened.recovered?.generation ?? 0
  }

  /** Opens a directory for this process, and recovers the state in it. */
  static async open(path: string, options: DirectoryOptions): Promise<DataDirectory> {
    const { host, journals } = options
    await host.makeDirectory(path)
    const lock = await journals.lockDirectory(path)
    if (lock === undefined) {
      throw new SetpointError('CLUSTER_DATA_IN_USE', `another process uses ${path}`, {
        hint: 'stop the other process, or use another directory',
      })
    }
    try {
      return new DataDirectory(path, options, { lock, recovered: await readState(host, path) })
    } catch (error) {
      await lock[Symbol.asyncDispose]()
      throw error
    }
  }

  /**
   * Writes every change of the store from now on. The state of a new directory is saved completely
   * before this resolves.
   */
  async begin(store: Store, identity: DirectoryIdentity): Promise<void> {
    this.#store = store
    const { host } = this.#options
    const saved = this.recovered?.identity
    if (JSON.stringify(saved) !== JSON.stringify(identity)) {
      const text = JSON.stringify(identity)
      await host.writeFile(this.#pathOf(identityName), text, { mode: 0o600 })
    }
    if (this.recovered === undefined) {
      await this.#rotate()
    } else {
      const path = this.#pathOf(logName(this.#generation))
      const { completeBytes } = this.recovered
      if (completeBytes !== undefined) {
        const bytes = await host.readFile(path)
        await host.writeFile(path, bytes.subarray(0, completeBytes), { mode: 0o600 })
      }
      this.#log = await this.#options.journals.openJournal(path)
    }
    store.journalTo((entry) => this.#append(entry))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#rotating
    this.#log?.close()
    await this.#lock[Symbol.asyncDispose]()
  }

  #append(entry: StoreEntry): void {
    if (this.#isClosed) throw new Error('the cluster is stopped')
    const line = journalLine(recordOf(entry))
    this.#log?.append(line)
    this.#logCharacters += line.length
    const { logCharactersMax = logCharactersDefault, host } = this.#options
    if (this.#logCharacters < logCharactersMax || this.#rotating !== undefined) return
    this.#rotating = this.#rotate()
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        host.log(`the log of ${this.#path} could not be replaced by a snapshot: ${why}`)
      })
      .finally(() => (this.#rotating = undefined))
  }

  /**
   * Continues in a new log, then writes the state at its beginning, and removes the old files. A
   * process that is killed meanwhile recovers from the old files and both logs.
   */
  async #rotate(): Promise<void> {
    const { journals, host } = this.#options
    const generation = this.#generation + 1
    const logPath = this.#pathOf(logName(generation))
    // A process may have been killed before it wrote the first line.
    await host.remove(logPath)
    const log = await journals.openJournal(logPath)
    const snapshot = this.#store?.snapshot() ?? { revision: 1, buckets: {} }
    log.append(journalLine(headerOf('log', snapshot.revision)))
    this.#log?.close()
    this.#log = log
    this.#generation = generation
    this.#logCharacters = 0
    await this.#writeSnapshot(snapshotName(generation), snapshot)
    for (const name of await host.listDirectory(this.#path)) {
      const other = generationOf(name)
      if (other !== undefined && other < generation) await host.remove(this.#pathOf(name))
    }
  }

  async #writeSnapshot(name: string, { revision, buckets }: StoreSnapshot): Promise<void> {
    const { journals, host } = this.#options
    const path = this.#pathOf(name)
    // The rest of a snapshot that an earlier process did not complete.
    await host.remove(path)
    const file = await journals.openJournal(path)
    try {
      let chunk = journalLine(headerOf('snapshot', revision))
      let objects = 0
      for (const [bucket, all] of Object.entries(buckets)) {
        for (const object of all) {
          chunk += journalLine(recordOf({ bucket, object, isDeleted: false }))
          objects += 1
          if (chunk.length < chunkCharacters) continue
          file.append(chunk)
          chunk = ''
          await host.sleep(0)
        }
      }
      file.append(chunk + journalLine({ objects }))
    } finally {
      file.close()
    }
  }

  #pathOf(name: string): string {
    return posix.join(this.#path, name)
  }
}

async function readState(host: Files, path: string): Promise<DataDirectory['recovered']> {
  const names = (await host.listDirectory(path)).filter((name) => name !== 'lock')
  if (names.length === 0) return undefined
  if (!names.includes(identityName)) {
    throw unreadable(path, 'it is not empty, and it is not the data of a cluster')
  }
  const files = new Map<string, Uint8Array>()
  for (const name of names) {
    if (generationOf(name) !== undefined)
      files.set(name, await host.readFile(posix.join(path, name)))
  }
  try {
    const state = recover(files)
    if (state === undefined) return undefined
    return { ...state, identity: await readIdentity(host, posix.join(path, identityName)) }
  } catch (error) {
    if (error instanceof UnreadableStateError) throw unreadable(path, error.message)
    throw error
  }
}

async function readIdentity(host: Files, path: string): Promise<DirectoryIdentity> {
  const text = new TextDecoder().decode(await host.readFile(path))
  try {
    return JSON.parse(text) as DirectoryIdentity
  } catch {
    throw new UnreadableStateError(identityName, 'it is not valid JSON')
  }
}

function unreadable(path: string, why: string): SetpointError {
  return new SetpointError('CLUSTER_DATA_UNREADABLE', `cannot read ${path}: ${why}`, {
    hint: unreadableHint,
  })
}
