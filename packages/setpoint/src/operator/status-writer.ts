import { type Key, keyOf, type KindCache } from '../cache/index.ts'
import { type Client, isApiError } from '../client/index.ts'
import type { Run } from '../controller/index.ts'
import type { ResourceCondition } from '../definition/index.ts'
import type { Clock } from '../host/index.ts'
import { patchTowards } from './patch-towards.ts'
import type { ApiResource, StatedFields } from './operator-declaration.ts'
import type { StatedCondition } from './operator-types.ts'

/** What writing a status needs. */
interface StatusWriterOptions {
  readonly host: Clock
  readonly client: Client
  readonly cache: KindCache
  readonly fieldManager: string
}

interface Status {
  readonly conditions?: readonly ResourceCondition[]
  readonly [field: string]: unknown
}

/** Writes the status of owners: only when it changes, with the times that conditions must have. */
export class StatusWriter {
  readonly #options: StatusWriterOptions
  /** The fields of each status that others wrote: an application does not remove them. */
  readonly #foreign = new Map<Key, ReadonlySet<string>>()

  constructor(options: StatusWriterOptions) {
    this.#options = options
  }

  /** What the status says now, as one would state it. */
  stated(owner: ApiResource): StatedFields {
    const { conditions = [], ...fields } = (owner['status'] ?? {}) as Status
    const byType = conditions.map(({ type, status, reason, message }) => [
      type,
      { status, reason, message },
    ])
    return {
      ...fields,
      conditions: Object.fromEntries(byType) as StatedFields['conditions'] & object,
    }
  }

  /** Whether the status does not say this yet. */
  differs(owner: ApiResource, stated: StatedFields): boolean {
    const before = (owner['status'] ?? {}) as Status
    const foreign = this.#foreign.get(keyOf(owner.metadata))
    return !isSaid(before, this.#status(owner, stated), foreign)
  }

  /** Forgets what was learned about an object that is gone. */
  forget(key: Key): void {
    this.#foreign.delete(key)
  }

  /** Whether the status has said something about the object as it is now. */
  isCurrent(owner: ApiResource): boolean {
    const { conditions = [] } = (owner['status'] ?? {}) as Status
    const { generation } = owner.metadata
    return conditions.some(({ observedGeneration }) => observedGeneration === generation)
  }

  /** Makes the status say this. What it said before and does not say now is removed. */
  async write(owner: ApiResource, stated: StatedFields, run: Run): Promise<void> {
    const { cache, client, fieldManager } = this.#options
    const { name, namespace } = owner.metadata
    const applied = { metadata: { name, namespace }, status: this.#status(owner, stated) }
    const options = { fieldManager, subresource: 'status', signal: run.signal }
    let written: unknown
    try {
      written = await client.apply(cache.kind, applied, { ...options, force: true })
    } catch (error) {
      // An object that was stored before its schema changed cannot be applied to; a patch does not read the rest of it.
      if (!isApiError(error, 'API_BAD_REQUEST', 'API_INVALID', 'API_UNAVAILABLE')) throw error
      const { status } = applied
      written = await client.patch(cache.kind, owner.metadata, { merge: { status }, ...options })
    }
    run.wrote(cache, written as ApiResource, ['status'])
    this.#learn(written as ApiResource, applied.status)
  }

  /** What stays although it was not stated belongs to somebody else. */
  #learn(written: ApiResource, stated: Status): void {
    const others = Object.keys((written['status'] ?? {}) as Status).filter(
      (field) => stated[field] === undefined,
    )
    const key = keyOf(written.metadata)
    if (others.length > 0) this.#foreign.set(key, new Set(others))
    else this.#foreign.delete(key)
  }

  #status(owner: ApiResource, { conditions = {}, ...fields }: StatedFields): Status {
    // Kinds that every cluster has state their conditions as they are.
    if (Array.isArray(conditions)) return { ...fields, conditions }
    const before = (owner['status'] ?? {}) as Status
    const stated = Object.entries(conditions).map(([type, condition]) =>
      this.#condition(owner, before, { type, ...condition }),
    )
    // A resource without conditions has no field for them.
    return stated.length === 0 ? fields : { ...fields, conditions: stated }
  }

  /** A condition with its generation, and the time since when it has been so. */
  #condition(
    owner: ApiResource,
    { conditions = [] }: Status,
    stated: StatedCondition & { readonly type: string },
  ): ResourceCondition {
    const known = conditions.find(({ type }) => type === stated.type)
    const now = `${new Date(this.#options.host.now()).toISOString().slice(0, 19)}Z`
    const isSame = known?.status === stated.status
    return {
      ...stated,
      observedGeneration: owner.metadata.generation ?? 0,
      lastTransitionTime: isSame ? known.lastTransitionTime : now,
    }
  }
}

/** Whether a status says exactly this, whoever wrote it. */
function isSaid(before: Status, status: Status, foreign: ReadonlySet<string> | undefined): boolean {
  const said = Object.keys(before).filter((field) => field !== 'conditions')
  const hasMore = said.some((field) => status[field] === undefined && foreign?.has(field) !== true)
  return !hasMore && patchTowards(before, status, conditionTypes).operations.length === 0
}

const conditionTypes = { conditions: { list: 'map', keys: ['type'] } } as const
