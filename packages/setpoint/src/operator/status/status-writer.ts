import { type Key, keyOf, type KindCache } from '../../cache/index.ts'
import { type Client, isApiError } from '../../client/index.ts'
import type { Run } from '../../controller/index.ts'
import type { AnyResourceDefinition, ResourceCondition } from '../../definition/index.ts'
import { secondsTime } from '../../events/index.ts'
import type { Clock } from '../../host/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { diffObjects } from '../../patch/index.ts'
import { jsonEquals } from '../../schema/json-value.ts'
import type { StatedFields } from '../declare/operator-declaration.ts'
import type { StatedCondition } from '../declare/operator-types.ts'
import {
  conditionPrefix,
  conditionsOf,
  extraFields,
  foreignStatus,
  type Status,
  withForeign,
} from './shared-status.ts'

/** The dependencies of a `StatusWriter`. */
interface StatusWriterOptions {
  readonly host: Clock
  readonly client: Client
  readonly cache: KindCache
  readonly fieldManager: string
  /**
   * Set for resources that this program defines. Built-in kinds have their own types of conditions.
   */
  readonly definition: AnyResourceDefinition | undefined
}

/** How a status is written. */
interface StatusWrite {
  readonly run: Run
  readonly isLatest?: boolean
  readonly revision?: string | undefined
}

/** Writes the status of owners, only when it changes, with the transition times of conditions. */
export class StatusWriter {
  readonly #options: StatusWriterOptions
  /** The fields of each status that other managers own. Apply does not remove them. */
  readonly #foreign = new Map<Key, ReadonlySet<string>>()

  constructor(options: StatusWriterOptions) {
    this.#options = options
  }

  /** The current status, in the form of a stated one. */
  stated(owner: ApiResource): StatedFields {
    const status = (owner['status'] ?? {}) as Status
    // It keeps its generation, because repeating a condition about an older generation does not
    // make it current.
    const byType = conditionsOf(owner).map(
      ({ type, status, reason, message, observedGeneration }) => [
        type,
        { status, reason, message, observedGeneration },
      ],
    )
    return {
      ...status,
      conditions: Object.fromEntries(byType) as StatedFields['conditions'] & object,
    }
  }

  /** A status whose conditions are a list, from one whose conditions may be stated by type. */
  whole(owner: ApiResource, fields: Status | StatedFields): Status {
    const { conditions } = fields
    const isList = conditions === undefined || conditions === null || Array.isArray(conditions)
    return isList ? (fields as Status) : this.#status(owner, fields as StatedFields)
  }

  /** Whether writing this status would change the object. */
  differs(owner: ApiResource, stated: StatedFields): boolean {
    return !this.#isCurrentStatus(owner, this.#status(owner, stated))
  }

  /** A whole status with a condition added, or replaced. */
  withCondition(
    owner: ApiResource,
    status: Status,
    stated: StatedCondition & { readonly type: string },
  ): Status {
    const others = (status.conditions ?? []).filter(({ type }) => type !== stated.type)
    return { ...status, conditions: [...others, this.#condition(owner, stated)] }
  }

  /**
   * Replaces the status of an object under an optimistic lock, unless it is the same. The status of
   * the program's own resource keeps the fields that other managers own: handlers of another
   * operator, for example.
   */
  async update(owner: ApiResource, status: Status, run: Run): Promise<void> {
    const { cache, client, fieldManager, definition } = this.#options
    const stated = JSON.parse(JSON.stringify(status)) as Status
    if (definition !== undefined && hasMore(owner, stated, this.#foreignOf(owner))) {
      await this.readForeign(owner, run)
    }
    const sent = withForeign(owner, stated, this.#foreignOf(owner))
    if (jsonEquals(owner['status'] ?? {}, sent)) return
    const options = { fieldManager, subresource: 'status', signal: run.signal }
    const object = { ...owner, status: sent }
    run.wrote(cache, (await client.replace(cache.kind, object, options)) as ApiResource)
  }

  /** Forgets a deleted object. */
  forget(key: Key): void {
    this.#foreign.delete(key)
  }

  /** Whether a condition of the status is about the current generation. */
  isCurrent(owner: ApiResource): boolean {
    const { generation } = owner.metadata
    return conditionsOf(owner).some(({ observedGeneration }) => observedGeneration === generation)
  }

  /**
   * Writes a status. Fields that it no longer states are removed, unless other managers own them.
   * `isLatest` says that this process knows no newer revision of the object. Then the status is
   * replaced, which costs the server a third less than apply. After a conflict it is applied. With a
   * `revision`, a conflict is thrown instead: for a status that was computed from this revision.
   */
  async write(
    owner: ApiResource,
    stated: StatedFields,
    { run, isLatest = false, revision }: StatusWrite,
  ): Promise<void> {
    const status = this.#status(owner, stated)
    const { cache, definition } = this.#options
    const hasUnknown = hasMore(owner, status, this.#foreignOf(owner))
    if (revision !== undefined) {
      if (hasUnknown) await this.readForeign(owner, run)
      const locked = { ...owner, metadata: { ...owner.metadata, resourceVersion: revision } }
      run.wrote(cache, await this.#replace(locked, status, run), 'object')
    } else if (definition !== undefined && hasUnknown) {
      const cleared = await this.#clear(owner, status, run)
      if (cleared !== undefined) run.wrote(cache, cleared, ['status'])
    } else await this.#send(owner, status, { run, isLatest: isLatest && definition !== undefined })
  }

  async #send(
    owner: ApiResource,
    status: Status,
    { run, isLatest }: { readonly run: Run; readonly isLatest: boolean },
  ): Promise<void> {
    const { cache } = this.#options
    if (isLatest) {
      try {
        // The optimistic lock excludes other changes, so the watch event of this write carries
        // none.
        run.wrote(cache, await this.#replace(owner, status, run), 'object')
        return
      } catch (error) {
        if (!isApiError(error, 'API_CONFLICT')) throw error
      }
    }
    run.wrote(cache, await this.#apply(owner, status, run), ['status'])
  }

  /** Removes the fields that are not stated, except those of other managers. */
  async #clear(owner: ApiResource, status: Status, run: Run): Promise<ApiResource | undefined> {
    const live = await this.readForeign(owner, run)
    return this.#isCurrentStatus(live, status) ? undefined : this.#replace(live, status, run)
  }

  /** Reads the object from the server, and records the fields that other managers own. */
  async readForeign({ metadata }: ApiResource, run: Run): Promise<ApiResource> {
    const { cache, client, fieldManager } = this.#options
    const options = { signal: run.signal }
    const live = (await client.get(cache.kind, metadata, options)) as ApiResource
    this.#foreign.set(keyOf(metadata), foreignStatus(live, fieldManager))
    return live
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
      // Apply fails on an object that was stored before its schema changed; a patch does not
      // validate the rest of it.
      if (!isApiError(error, 'API_BAD_REQUEST', 'API_INVALID', 'API_UNAVAILABLE')) throw error
      written = await client.patch(cache.kind, owner.metadata, { merge: { status }, ...options })
    }
    this.#learn(written as ApiResource, status)
    return written as ApiResource
  }

  /** Whether a status is exactly this, apart from the fields of other managers. */
  #isCurrentStatus(owner: ApiResource, status: Status): boolean {
    const { definition } = this.#options
    const foreign = this.#foreignOf(owner)
    // A condition that the definition does not declare belongs to another manager.
    const mayBeOurs = (field: string): boolean =>
      !field.startsWith(conditionPrefix) ||
      definition?.conditions.includes(field.slice(conditionPrefix.length)) === true
    const extras = extraFields(owner, status).filter(mayBeOurs)
    if (extras.some((field) => foreign?.has(field) !== true)) return false
    const before = (owner['status'] ?? {}) as Status
    return diffObjects(before, status, conditionTypes).operations.length === 0
  }

  #foreignOf({ metadata }: ApiResource): ReadonlySet<string> | undefined {
    return this.#foreign.get(keyOf(metadata))
  }

  /** A field that is still there after apply, and not stated, belongs to another manager. */
  #learn(written: ApiResource, status: Status): void {
    const others = extraFields(written, status)
    const key = keyOf(written.metadata)
    if (others.length > 0) this.#foreign.set(key, new Set(others))
    else this.#foreign.delete(key)
  }

  #status(owner: ApiResource, { conditions = {}, ...fields }: StatedFields): Status {
    // Built-in kinds state their conditions as a list.
    if (Array.isArray(conditions)) return { ...fields, conditions }
    const stated = Object.entries(conditions).map(([type, condition]) =>
      this.#condition(owner, { type, ...condition }),
    )
    // A resource without conditions has no such field.
    return stated.length === 0 ? fields : { ...fields, conditions: stated }
  }

  /** A condition with its generation and transition time. */
  #condition(
    owner: ApiResource,
    stated: StatedCondition & { readonly type: string },
  ): ResourceCondition {
    const known = conditionsOf(owner).find(({ type }) => type === stated.type)
    const now = secondsTime(this.#options.host.now())
    const isSame = known?.status === stated.status
    return {
      ...stated,
      observedGeneration: stated.observedGeneration ?? owner.metadata.generation ?? 0,
      lastTransitionTime: isSame ? known.lastTransitionTime : now,
    }
  }
}

/** Whether a status has a field that is not stated, and that no other manager is known to own. */
function hasMore(owner: ApiResource, status: Status, foreign?: ReadonlySet<string>): boolean {
  return extraFields(owner, status).some((field) => foreign?.has(field) !== true)
}

const conditionTypes = { conditions: { list: 'map', keys: ['type'] } } as const
