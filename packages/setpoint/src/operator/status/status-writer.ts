import { type Key, keyOf, type KindCache } from '../../cache/index.ts'
import { type Client, isApiError } from '../../client/index.ts'
import type { Run } from '../../controller/index.ts'
import type { AnyResourceDefinition, ResourceCondition } from '../../definition/index.ts'
import type { Clock } from '../../host/index.ts'
import { patchTowards } from '../write/patch-towards.ts'
import { secondsTime } from '../events/seconds-time.ts'
import {
  conditionPrefix,
  extraFields,
  foreignStatus,
  type Status,
  withForeign,
} from './shared-status.ts'
import type { ApiResource, StatedFields } from '../declare/operator-declaration.ts'
import type { StatedCondition } from '../declare/operator-types.ts'

/** What writing a status needs. */
interface StatusWriterOptions {
  readonly host: Clock
  readonly client: Client
  readonly cache: KindCache
  readonly fieldManager: string
  /** Of resources that are defined here; the conditions of others are theirs to lay out. */
  readonly definition: AnyResourceDefinition | undefined
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
    // With its generation: repeating what was said about an older state does not make it newer.
    const byType = conditions.map(({ type, status, reason, message, observedGeneration }) => [
      type,
      { status, reason, message, observedGeneration },
    ])
    return {
      ...fields,
      conditions: Object.fromEntries(byType) as StatedFields['conditions'] & object,
    }
  }

  /** Whether the status does not say this yet. */
  differs(owner: ApiResource, stated: StatedFields): boolean {
    return !this.#isSaid(owner, this.#status(owner, stated))
  }

  /** A status that its author wrote whole, with a condition beside those it has, or instead of the one of its type. */
  withCondition(
    owner: ApiResource,
    status: Status,
    stated: StatedCondition & { readonly type: string },
  ): Status {
    const before = (owner['status'] ?? {}) as Status
    const others = (status.conditions ?? []).filter(({ type }) => type !== stated.type)
    return { ...status, conditions: [...others, this.#condition(owner, before, stated)] }
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

  /**
   * Makes the status say this. What it said before and does not say now is removed, unless others wrote it. `isFresh`
   * says that the object is the newest this process knows: then it is replaced, which costs a server a third less than
   * an application. Whoever was faster makes it an application.
   */
  async write(
    owner: ApiResource,
    stated: StatedFields,
    { run, isFresh = false }: { readonly run: Run; readonly isFresh?: boolean },
  ): Promise<void> {
    const status = this.#status(owner, stated)
    const { cache, definition } = this.#options
    const hasUnknown = hasMore(owner, status, this.#foreignOf(owner))
    if (definition !== undefined && hasUnknown) {
      const cleared = await this.#clear(owner, status, run)
      if (cleared !== undefined) run.wrote(cache, cleared, ['status'])
    } else await this.#send(owner, status, { run, isFresh: isFresh && definition !== undefined })
  }

  async #send(
    owner: ApiResource,
    status: Status,
    { run, isFresh }: { readonly run: Run; readonly isFresh: boolean },
  ): Promise<void> {
    const { cache } = this.#options
    if (isFresh) {
      try {
        // Nobody wrote between what this run looked at and this: its echo holds no news at all.
        run.wrote(cache, await this.#replace(owner, status, run), 'object')
        return
      } catch (error) {
        if (!isApiError(error, 'API_CONFLICT')) throw error
      }
    }
    run.wrote(cache, await this.#apply(owner, status, run), ['status'])
  }

  /** Finds out who wrote what is there and not stated, and removes what nobody else wrote. */
  async #clear(owner: ApiResource, status: Status, run: Run): Promise<ApiResource | undefined> {
    const { cache, client, fieldManager } = this.#options
    const options = { signal: run.signal }
    const live = (await client.get(cache.kind, owner.metadata, options)) as ApiResource
    const foreign = foreignStatus(live, fieldManager)
    this.#foreign.set(keyOf(owner.metadata), foreign)
    return this.#isSaid(live, status) ? undefined : this.#replace(live, status, run)
  }

  async #replace(owner: ApiResource, status: Status, run: Run): Promise<ApiResource> {
    const { cache, client, fieldManager } = this.#options
    const whole = { ...owner, status: withForeign(owner, status, this.#foreignOf(owner)) }
    const options = { fieldManager, subresource: 'status', signal: run.signal }
    return (await client.replace(cache.kind, whole, options)) as ApiResource
  }

  async #apply(owner: ApiResource, status: Status, run: Run): Promise<ApiResource> {
    const { cache, client, fieldManager } = this.#options
    const { name, namespace } = owner.metadata
    const applied = { metadata: { name, namespace }, status }
    const options = { fieldManager, subresource: 'status', signal: run.signal }
    let written: unknown
    try {
      written = await client.apply(cache.kind, applied, { ...options, force: true })
    } catch (error) {
      // An object that was stored before its schema changed cannot be applied to; a patch does not read the rest of it.
      if (!isApiError(error, 'API_BAD_REQUEST', 'API_INVALID', 'API_UNAVAILABLE')) throw error
      written = await client.patch(cache.kind, owner.metadata, { merge: { status }, ...options })
    }
    this.#learn(written as ApiResource, status)
    return written as ApiResource
  }

  /** Whether a status says exactly this and nothing more, but for what others wrote. */
  #isSaid(owner: ApiResource, status: Status): boolean {
    const { definition } = this.#options
    const foreign = this.#foreignOf(owner)
    // Conditions that the definition does not know cannot be ours: they are not worth asking whose they are.
    const mayBeOurs = (field: string): boolean =>
      !field.startsWith(conditionPrefix) ||
      definition?.conditions.includes(field.slice(conditionPrefix.length)) === true
    const extras = extraFields(owner, status).filter(mayBeOurs)
    if (extras.some((field) => foreign?.has(field) !== true)) return false
    const before = (owner['status'] ?? {}) as Status
    return patchTowards(before, status, conditionTypes).operations.length === 0
  }

  #foreignOf({ metadata }: ApiResource): ReadonlySet<string> | undefined {
    return this.#foreign.get(keyOf(metadata))
  }

  /** What stays although it was not stated belongs to somebody else. */
  #learn(written: ApiResource, status: Status): void {
    const others = extraFields(written, status)
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
    stated: StatedCondition & { readonly type: string; readonly observedGeneration?: number },
  ): ResourceCondition {
    const known = conditions.find(({ type }) => type === stated.type)
    const now = secondsTime(this.#options.host.now())
    const isSame = known?.status === stated.status
    return {
      ...stated,
      observedGeneration: stated.observedGeneration ?? owner.metadata.generation ?? 0,
      lastTransitionTime: isSame ? known.lastTransitionTime : now,
    }
  }
}

/** Whether a status has something that is not stated, and nobody is known to have written it. */
function hasMore(owner: ApiResource, status: Status, foreign?: ReadonlySet<string>): boolean {
  return extraFields(owner, status).some((field) => foreign?.has(field) !== true)
}

const conditionTypes = { conditions: { list: 'map', keys: ['type'] } } as const
