import type { StoredObject, StoreEntry, StoreSnapshot } from '../store/index.ts'
import { DamagedLineError, type JournalLines, lineBreak, readLines } from './journal-lines.ts'
import {
  type EntryRecord,
  entryOf,
  type FileHeader,
  formatVersion,
  type SnapshotEnd,
} from './journal-records.ts'

/** The state in the files of a directory. */
export interface RecoveredState {
  readonly snapshot: StoreSnapshot
  /** The changes after the snapshot. */
  readonly entries: readonly StoreEntry[]
  /** The number of the log to continue. */
  readonly generation: number
  /** The complete bytes of that log, if it ends with a part of a line. */
  readonly completeBytes?: number
}

/** Why files cannot be read. */
export class UnreadableStateError extends Error {
  constructor(file: string, why: string) {
    super(`${file}: ${why}`)
    this.name = 'UnreadableStateError'
  }
}

/** The names of the files of a generation: a snapshot, and the log of the changes after it. */
export const snapshotName = (generation: number): string => `snapshot-${numbered(generation)}`
export const logName = (generation: number): string => `log-${numbered(generation)}`

function numbered(generation: number): string {
  return String(generation).padStart(8, '0')
}

/** The generation of a file; `undefined` for other names. */
export function generationOf(name: string): number | undefined {
  const match = /^(?:snapshot|log)-(\d{8})$/.exec(name)
  return match === null ? undefined : Number(match[1])
}

/**
 * The state in these files: the newest complete snapshot, and the changes in all logs since then.
 * `undefined` if the first snapshot was never completed: nothing was answered yet. Throws an
 * `UnreadableStateError` rather than lose a change.
 */
export function recover(files: ReadonlyMap<string, Uint8Array>): RecoveredState | undefined {
  const generations = [...new Set([...files.keys()].flatMap((name) => generationOf(name) ?? []))]
  generations.sort((left, right) => right - left)
  for (const generation of generations) {
    const bytes = files.get(snapshotName(generation))
    const snapshot = bytes && readSnapshot(snapshotName(generation), bytes)
    if (snapshot !== undefined) return readLogs(files, snapshot, generation)
  }
  const log = generations.find((generation) => hasEntries(files.get(logName(generation))))
  if (log === undefined) return undefined
  throw new UnreadableStateError(logName(log), 'there is no complete snapshot before it')
}

/** `undefined` if the snapshot has no end: the process was killed while it wrote it. */
function readSnapshot(name: string, bytes: Uint8Array): StoreSnapshot | undefined {
  const { values } = linesOf(name, bytes)
  if (values.length === 0) return undefined
  const { revision } = headerIn(name, values)
  const last = values.at(-1) as Partial<SnapshotEnd>
  const records = values.slice(1, -1) as readonly EntryRecord[]
  if (last.objects === undefined) return undefined
  if (last.objects !== records.length) {
    const why = `it has ${records.length} objects instead of ${last.objects}`
    throw new UnreadableStateError(name, why)
  }
  const buckets: Record<string, StoredObject[]> = {}
  for (const record of records) {
    const { bucket, object } = entryOf(record)
    const objects = (buckets[bucket] ??= [])
    objects.push(object)
  }
  return { revision, buckets }
}

function readLogs(
  files: ReadonlyMap<string, Uint8Array>,
  snapshot: StoreSnapshot,
  first: number,
): RecoveredState {
  const entries: StoreEntry[] = []
  let revision = snapshot.revision
  let generation = first
  let cut: number | undefined
  for (let next = first; isBegun(files.get(logName(next))); next += 1) {
    const name = logName(next)
    if (cut !== undefined) {
      throw new UnreadableStateError(logName(generation), 'its last line is not complete')
    }
    const bytes = files.get(name) ?? new Uint8Array()
    const { values, completeBytes } = linesOf(name, bytes)
    const begin = headerIn(name, values).revision
    if (begin !== revision) throw missing(name, revision, begin + 1)
    for (const record of values.slice(1) as readonly EntryRecord[]) {
      if (record.r !== revision + 1) throw missing(name, revision, record.r)
      entries.push(entryOf(record))
      revision = record.r
    }
    generation = next
    cut = completeBytes < bytes.length ? completeBytes : undefined
  }
  const rest = cut === undefined ? {} : { completeBytes: cut }
  return { snapshot, entries, generation, ...rest }
}

/** Changes follow only after the first snapshot is complete. */
function hasEntries(bytes: Uint8Array | undefined): boolean {
  const end = bytes?.indexOf(lineBreak) ?? -1
  return end >= 0 && bytes?.includes(lineBreak, end + 1) === true
}

/** A log begins with its first complete line. */
function isBegun(bytes: Uint8Array | undefined): boolean {
  return bytes?.includes(lineBreak) === true
}

function missing(name: string, last: number, next: number): UnreadableStateError {
  return new UnreadableStateError(name, `revision ${next} follows revision ${last}`)
}

function linesOf(name: string, bytes: Uint8Array): JournalLines {
  try {
    return readLines(bytes)
  } catch (error) {
    if (error instanceof DamagedLineError) throw new UnreadableStateError(name, error.message)
    throw error
  }
}

function headerIn(name: string, [first]: readonly unknown[]): FileHeader {
  const header = first as Partial<FileHeader>
  if (header.format !== 'setpoint-cluster' || header.revision === undefined) {
    throw new UnreadableStateError(name, 'it does not begin like a file of a cluster')
  }
  if (header.version !== formatVersion) {
    const why = `it has version ${header.version ?? 'unknown'} of the format; this program reads version ${formatVersion}`
    throw new UnreadableStateError(name, why)
  }
  return header as FileHeader
}
