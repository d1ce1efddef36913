import type { Clock, Timers } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import {
  beginDeletion,
  cleanupFinalizer,
  conditionsOf,
  conversionProblem,
  definitionsBucket,
  isUnconverted,
  readObject,
  readStored,
  setCondition,
  storedText,
  storedVersion,
  type Commit,
  type Definitions,
  type Registry,
  type ServedResource,
} from '../api/index.ts'
import { formatTime, isTerminating, metadataOf } from '../object/index.ts'
import type { Store, StoredObject, StoreWrite } from '../store/index.ts'

interface CleanupContext {
  readonly host: Clock & Timers
  readonly store: Store
  readonly registry: Registry
  readonly definitions: Definitions
}

const background = {
  isDryRun: false,
  gracePeriodSeconds: undefined,
  propagation: undefined,
  isOrphanDenied: false,
  uid: undefined,
  resourceVersion: undefined,
} as const

/** Objects that a webhook has to convert before they can be deleted. */
interface Unconverted {
  readonly resource: ServedResource
  readonly objects: readonly StoredObject[]
}

const firstRetryMs = 5
const retryMsMax = 1_000_000

/** Deletes the objects of a terminating definition, and then the definition. */
export class DefinitionCleanup {
  readonly #context: CleanupContext
  /** How often the objects of a definition could not be converted. */
  readonly #failures = new Map<string, number>()
  /** The definitions whose objects are being converted. */
  readonly #converting = new Set<string>()

  constructor(context: CleanupContext) {
    this.#context = context
  }

  /** Called when a definition was written: serves its resources, or starts their deletion. */
  definitionChanged(stored: StoredObject): void {
    this.#context.definitions.changed(stored)
    if (isTerminating(JSON.parse(`{${stored.text}`) as JsonObject)) this.#later(stored.key)
  }

  /**
   * Called when an object was written: a terminating definition may wait for the deletion of its
   * last object.
   */
  objectChanged({ resource, isDeleted }: Commit): void {
    if (isDeleted && resource.isTerminating) this.#later(`${resource.plural}.${resource.group}`)
  }

  /**
   * Runs after the response, as in a real server, where the deletion is still in progress when a
   * client gets the response.
   */
  #later(name: string, delayMs = 0): void {
    this.#context.host.setTimer(delayMs, () => this.#cleanUp(name))
  }

  #cleanUp(name: string): void {
    const { store, registry } = this.#context
    if (this.#converting.has(name)) return
    const stored = store.get(definitionsBucket, name)
    const definitions = registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')
    if (stored === undefined || definitions === undefined) return
    const definition = readObject(definitions, stored)
    const { finalizers = [] } = metadataOf(definition)
    if (!isTerminating(definition) || !finalizers.includes(cleanupFinalizer)) return
    const begun = this.#setTerminating(definitions, stored, inProgress)
    const isEstablished = conditionsOf(definition).some(
      ({ type, status }) => type === 'Established' && status === 'True',
    )
    const unreadable = isEstablished ? this.#unconverted(name) : undefined
    if (unreadable !== undefined) {
      void this.#convert(name, unreadable)
      return
    }
    this.#failures.delete(name)
    if (isEstablished && !this.#removeObjects(name)) return
    if (finalizers.length > 1) {
      this.#setTerminating(definitions, begun, isEstablished ? completed : neverEstablished)
      return
    }
    // As on a real server, the last state that watches show is the one before.
    store.remove(storeWrite(definitionsBucket, begun, readObject(definitions, begun)))
    this.#context.definitions.removed(name)
  }

  /** The objects that are stored in another version than the definition stores now. */
  #unconverted(name: string): Unconverted | undefined {
    const { store, registry } = this.#context
    const [plural = ''] = name.split('.')
    const group = name.slice(plural.length + 1)
    const resource = registry
      .all()
      .find(
        (one) => one.group === group && one.plural === plural && storedVersion(one) === one.version,
      )
    if (resource?.conversion === undefined) return undefined
    const objects = [...store.list(resource.bucket, '')].filter((stored) =>
      isUnconverted(resource, stored),
    )
    return objects.length === 0 ? undefined : { resource, objects }
  }

  /** A real server reads objects before it deletes them: it waits for a webhook that fails. */
  async #convert(name: string, { resource, objects }: Unconverted): Promise<void> {
    this.#converting.add(name)
    let delayMs = 0
    try {
      const problem = await conversionProblem(resource, objects)
      if (problem !== undefined) {
        const count = this.#failures.get(name) ?? 0
        this.#failures.set(name, count + 1)
        delayMs = Math.min(firstRetryMs * 2 ** count, retryMsMax)
        this.#fail(name, resource, problem)
      }
    } finally {
      this.#converting.delete(name)
    }
    this.#later(name, delayMs)
  }

  #fail(name: string, { apiVersion, kind }: ServedResource, why: string): void {
    const { store, registry } = this.#context
    const stored = store.get(definitionsBucket, name)
    const definitions = registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')
    if (stored === undefined || definitions === undefined) return
    const list = `storage is (re)initializing: failed to list ${apiVersion}, Kind=${kind}`
    this.#setTerminating(definitions, stored, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionFailed',
      message: `could not list instances: ${list}: ${why}`,
    })
  }

  /** Writes the condition, and removes the finalizer with one that is final. */
  #setTerminating(
    definitions: ServedResource,
    stored: StoredObject,
    condition: TerminatingCondition,
  ): StoredObject {
    const updated = readObject(definitions, stored)
    setCondition(updated, formatTime(this.#context.host.now()), condition)
    if (condition.status === 'False') withoutFinalizer(updated)
    const write = storeWrite(definitionsBucket, stored, updated)
    if (write.serialise(stored.revision) === stored.text) return stored
    return this.#context.definitions.writeStatus(stored, updated)
  }

  /** Deletes the objects without finalizers. Returns whether none is left. */
  #removeObjects(name: string): boolean {
    const { store, registry, host } = this.#context
    const [plural = ''] = name.split('.')
    const resource = registry.findResource(name.slice(plural.length + 1), plural)
    if (resource === undefined) return true
    for (const stored of [...store.list(resource.bucket, '')]) {
      const object = readStored(resource, stored)
      const step = beginDeletion(resource, object, { options: background, nowMs: host.now() })
      if (step === 'unchanged') continue
      if (step === 'gone') store.remove(storeWrite(resource.bucket, stored, object))
      else store.put(storeWrite(resource.bucket, stored, step))
    }
    return store.count(resource.bucket) === 0
  }
}

function withoutFinalizer(definition: JsonObject): void {
  const metadata = metadataOf(definition)
  metadata.finalizers = (metadata.finalizers ?? []).filter((other) => other !== cleanupFinalizer)
  if (metadata.finalizers.length === 0) delete metadata.finalizers
}

type TerminatingCondition = Parameters<typeof setCondition>[2]

const inProgress: TerminatingCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
}

const completed: TerminatingCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
}

const neverEstablished: TerminatingCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
}

function storeWrite(bucket: string, stored: StoredObject, object: JsonObject): StoreWrite {
  return {
    bucket,
    key: stored.key,
    expected: stored.revision,
    schemaTag: stored.schemaTag,
    labels: stored.labels,
    serialise: (revision) => storedText(object, revision),
  }
}
