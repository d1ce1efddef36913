import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/** An object as far as everybody needs it. */
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

/** What was seen of one scenario. */
interface Seen {
  changedMs: number
  /** Hashes of templates, in the order in which they appeared. */
  readonly hashes: string[]
}

/**
 * Remembers what watches told: when something of a scenario changed last, which object had an identity,
 * and which hashes appeared in which order. A scenario is found by its namespace, and things without a
 * namespace by their name, which contains it.
 */
export class Observed {
  readonly #scenarios = new Map<string, Seen>()
  readonly #uids = new Map<string, string>()
  #lost: string | undefined

  /** Begins to pay attention to a namespace. */
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

  /** From now on nothing can be said about quiet. */
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

  /** Which object had an identity, also when it is gone. */
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
