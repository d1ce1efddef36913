import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/** The common fields of objects. */
export interface ApiObject extends JsonObject {
  metadata: JsonObject & {
    name: string
    namespace?: string
    uid: string
    creationTimestamp: string
    deletionTimestamp?: string
    labels?: Record<string, string>
  }
}

/** The observations of one scenario. */
interface Seen {
  changedMs: number
  /** Template hashes, in the order of their appearance. */
  readonly hashes: string[]
}

/**
 * Records watch events: when an object of a scenario changed last, which object has a uid, and
 * which hashes appeared in which order. An object belongs to a scenario by its namespace; a
 * cluster-scoped object by its name, which contains the namespace.
 */
export class Observed {
  readonly #scenarios = new Map<string, Seen>()
  readonly #uids = new Map<string, string>()
  #lost: string | undefined

  /** Starts to observe a namespace. */
  open(namespace: string, nowMs: number): void {
    this.#scenarios.set(namespace, { changedMs: nowMs, hashes: [] })
  }

  note(kind: string, { metadata, ...rest }: ApiObject, nowMs: number): void {
    const { uid, name, namespace } = metadata
    this.#uids.set(uid, `${kind}/${name}`)
    for (const [of, seen] of this.#scenarios) {
      if (namespace === undefined ? !name.includes(of) : namespace !== of) continue
      seen.changedMs = nowMs
      const hash = hashOf(kind, metadata, rest)
      if (hash !== undefined && !seen.hashes.includes(hash)) seen.hashes.push(hash)
    }
  }

  /** A watch ended: later calls of `changedMs` fail. */
  lost(why: string): void {
    this.#lost = why
  }

  changedMs(namespace: string): number {
    if (this.#lost !== undefined) throw new Error(this.#lost)
    return this.#scenarios.get(namespace)?.changedMs ?? 0
  }

  hashes(namespace: string): readonly string[] {
    return this.#scenarios.get(namespace)?.hashes ?? []
  }

  /** The object of a uid, even of a deleted object. */
  ownerOf(uid: string): string | undefined {
    return this.#uids.get(uid)
  }
}

function hashOf(
  kind: string,
  { labels, name }: ApiObject['metadata'],
  rest: Readonly<Record<string, JsonValue>>,
): string | undefined {
  if (kind === 'ReplicaSet') return labels?.['pod-template-hash']
  if (kind !== 'ControllerRevision' || !isJsonObject(rest['data'])) return undefined
  return name.slice(name.lastIndexOf('-') + 1)
}
