import type { StoredChange } from '@setpoint/cluster'
import { bucketOf, isWrite, keyOf, type RequestTarget } from './request-target.ts'
import type { ProgramError } from './program.ts'

/** A write that the program sent. */
export interface RecordedWrite extends RequestTarget {
  /** Counts the writes of all processes of a world from 1. */
  readonly number: number
  /** Counts the starts of the program from 1. */
  readonly process: number
  readonly timeMs: number
  readonly bucket: string
  readonly key: string
  /** The status of the answer; `undefined` while there is none. */
  readonly status: number | undefined
  /** The line of the author's code from which it was sent, if that is known. */
  readonly line: string | undefined
  /** What it changed; `undefined` if it changed nothing. */
  readonly change: StoredChange | undefined
}

type OpenWrite = { -readonly [Field in keyof RecordedWrite]: RecordedWrite[Field] }

/** An error of the program, and when it happened. */
export interface RecordedError extends ProgramError {
  readonly timeMs: number
}

/** What the program did in a world, and what became of it. */
export class Recording {
  readonly writes: RecordedWrite[] = []
  readonly changes: StoredChange[] = []
  readonly errors: RecordedError[] = []
  /** How often the program read each resource: `list apps/deployments stale`. */
  readonly reads = new Map<string, number>()
  /** Writes that were sent, and have no answer yet. */
  readonly #open = new Set<OpenWrite>()

  /** Adds a request before it is sent; returns the write if it is one. */
  request(
    target: RequestTarget,
    from: Pick<RecordedWrite, 'process' | 'timeMs' | 'line'>,
  ): RecordedWrite | undefined {
    if (!isWrite(target)) {
      const read = `${target.verb} ${bucketOf(target)}${target.mayBeStale ? ' stale' : ''}`
      this.reads.set(read, (this.reads.get(read) ?? 0) + 1)
      return undefined
    }
    const write: OpenWrite = {
      ...target,
      ...from,
      number: this.writes.length + 1,
      bucket: bucketOf(target),
      key: keyOf(target),
      status: undefined,
      change: undefined,
    }
    this.writes.push(write)
    return write
  }

  /** A write leaves the process: only from now on can a change be its own. */
  sent(write: RecordedWrite): void {
    this.#open.add(write)
  }

  answered(write: RecordedWrite, status: number): void {
    const open = write as OpenWrite
    open.status = status
    if (status >= 400) open.change = undefined
    this.#open.delete(open)
  }

  /** A change of the store is that of the open write to the same object. */
  changed(change: StoredChange): void {
    this.changes.push(change)
    for (const write of this.#open) {
      if (write.change !== undefined || write.bucket !== change.bucket) continue
      if (write.verb === 'create' && write.name === '' && change.type !== 'created') continue
      const { key } = change.current
      const isIt =
        write.name === ''
          ? write.namespace === '' || key.startsWith(`${write.namespace}/`)
          : key === write.key
      if (!isIt) continue
      write.change = change
      return
    }
  }
}

/** Whether the API server refused a write, so that it changed nothing. */
export function isRefused({ status }: Pick<RecordedWrite, 'status'>): boolean {
  return status !== undefined && status >= 400
}

/** A write for people: `DELETE /configmaps default/web`. */
export function writeText({ verb, bucket, key, subresource }: RecordedWrite): string {
  return `${verb} ${bucket} ${key}${subresource === '' ? '' : ` (${subresource})`}`
}

/** What is known of a run when it is judged. */
interface Recorded {
  readonly changes: readonly StoredChange[]
  readonly writes: readonly RecordedWrite[]
  readonly reads: ReadonlyMap<string, number>
}

/** The changes by others than the program of resources that the program reads. */
export function otherChanges({ changes, writes, reads }: Recorded): ReadonlySet<StoredChange> {
  const own = new Set(writes.map(({ change }) => change))
  const read = new Set([...reads.keys()].map((text) => text.split(' ')[1]))
  return new Set(changes.filter((change) => !own.has(change) && read.has(change.bucket)))
}
