import type { Clock, Timers } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import {
  beginDeletion,
  cleanupFinalizer,
  conditionsOf,
  definitionsBucket,
  readObject,
  readStored,
  setCondition,
  storedText,
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

/** Deletes the objects of a terminating definition, and then the definition. */
export class DefinitionCleanup {
  readonly #context: CleanupContext

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
  #later(name: string): void {
    this.#context.host.setTimer(0, () => this.#cleanUp(name))
  }

  #cleanUp(name: string): void {
    const { store, registry } = this.#context
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
    if (isEstablished && !this.#removeObjects(name)) return
    if (finalizers.length > 1) {
      this.#setTerminating(definitions, begun, isEstablished ? completed : neverEstablished)
      return
    }
    // As on a real server, the last state that watches show is the one before.
    store.remove(storeWrite(definitionsBucket, begun, readObject(definitions, begun)))
    this.#context.definitions.removed(name)
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
