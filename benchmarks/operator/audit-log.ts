import { closeSync, openSync, readSync } from 'node:fs'

interface AuditEntry {
  readonly auditID: string
  readonly stage: string
  readonly verb: string
  readonly objectRef?: { readonly resource?: string }
  readonly responseStatus?: { readonly code?: number }
}

/** The requests of the program in a phase. */
export interface Requests {
  readonly all: number
  readonly writes: number
  /** Answered with 409: the program used a stale object. */
  readonly conflicts: number
}

const writeVerbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection'])

/**
 * The requests of one user in the audit log of the API server: exact, whatever the program reports.
 */
export class AuditLog implements Disposable {
  readonly #file: number
  readonly #buffer = Buffer.alloc(1 << 20)
  readonly #watches = new Set<string>()
  readonly #open = new Set<string>()
  #rest = ''
  #entries: AuditEntry[] = []

  constructor(path: string) {
    this.#file = openSync(path, 'r')
  }

  /** Resets the counts. */
  reset(): void {
    this.#read()
    this.#entries = []
  }

  activity(): { readonly count: number; readonly open: number } {
    this.#read()
    return { count: this.#entries.length, open: this.#open.size }
  }

  /** Whether all of these kinds have been watched since the last reset. */
  hasWatched(resources: readonly string[]): boolean {
    this.#read()
    const watched = this.#entries.flatMap(({ verb, objectRef }) =>
      verb === 'watch' ? [objectRef?.resource] : [],
    )
    return resources.every((resource) => watched.includes(resource))
  }

  requests(): Requests {
    this.#read()
    const count = (isCounted: (entry: AuditEntry) => boolean): number =>
      this.#entries.filter(isCounted).length
    return {
      all: this.#entries.length,
      writes: count(({ verb }) => writeVerbs.has(verb)),
      conflicts: count(({ responseStatus }) => responseStatus?.code === 409),
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  #read(): void {
    for (;;) {
      const length = readSync(this.#file, this.#buffer)
      if (length === 0) return
      const lines = (this.#rest + this.#buffer.toString('latin1', 0, length)).split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) this.#note(JSON.parse(line) as AuditEntry)
    }
  }

  #note(entry: AuditEntry): void {
    const { auditID, stage, verb } = entry
    if (verb === 'watch') {
      // A watch is logged when it begins and when it ends, perhaps in another phase: it is one
      // request.
      if (this.#watches.has(auditID)) return
      this.#watches.add(auditID)
      this.#entries.push(entry)
    } else if (stage === 'RequestReceived') {
      this.#open.add(auditID)
    } else {
      this.#open.delete(auditID)
      this.#entries.push(entry)
    }
  }
}
