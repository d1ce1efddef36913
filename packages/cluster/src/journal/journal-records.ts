import type { StoredObject, StoreEntry } from '../store/index.ts'

/** The version of the files. A file of a newer version is refused. */
export const formatVersion = 1

/** The first line of every file. */
export interface FileHeader {
  readonly format: 'setpoint-cluster'
  readonly version: number
  readonly content: 'snapshot' | 'log'
  /** The revision of the snapshot, or the last one before the log. */
  readonly revision: number
}

/** The last line of a snapshot. Without it the snapshot is not complete. */
export interface SnapshotEnd {
  readonly objects: number
}

/** A change, or an object of a snapshot. The names are short because there are many. */
export interface EntryRecord {
  readonly r: number
  readonly b: string
  readonly k: string
  readonly t: string
  readonly s: string
  readonly l?: Readonly<Record<string, string>>
  readonly d?: 1
}

/** The first line of a file with this content. */
export function headerOf(content: FileHeader['content'], revision: number): FileHeader {
  return { format: 'setpoint-cluster', version: formatVersion, content, revision }
}

/** An entry as a record. */
export function recordOf({ bucket, object, isDeleted }: StoreEntry): EntryRecord {
  const { key, revision, text, labels, schemaTag } = object
  return {
    r: revision,
    b: bucket,
    k: key,
    t: text,
    s: schemaTag,
    ...(labels === undefined ? {} : { l: labels }),
    ...(isDeleted ? { d: 1 } : {}),
  }
}

/** The reverse of `recordOf`. */
export function entryOf({ r, b, k, t, s, l, d }: EntryRecord): StoreEntry {
  const object: StoredObject = { key: k, revision: r, text: t, labels: l, schemaTag: s }
  return { bucket: b, object, isDeleted: d === 1 }
}
