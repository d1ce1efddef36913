import type { Kind } from 'setpoint'
import { Client } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import type { ProcessContext } from '../../src/index.ts'
import { type CachedReader, Informer } from './informer.ts'
import { controllerOf, keyText, type ObjectKey, type StoredObject } from './stored-object.ts'
import { WorkQueue } from './work-queue.ts'

/** What a reconcile works with. */
export interface Tools {
  readonly host: Host
  /** The local copies, as `mgr.GetClient()` reads: they may be old. */
  readonly cache: CachedReader
  /** The API server: writes, and reads as `mgr.GetAPIReader()` does them. */
  readonly client: Client
}

/** When the object is reconciled again without an event. */
export interface Result {
  readonly requeueAfterMs?: number | undefined
}

/** Brings the cluster closer to what one object demands. It is called with nothing but its key. */
type Reconcile = (key: ObjectKey, tools: Tools) => Promise<Result | void>

/** Objects that are watched without being owned: their events lead to these keys. */
interface Watched {
  readonly kind: Kind
  readonly keysOf: (object: StoredObject) => readonly ObjectKey[]
}

interface ControllerOptions extends ProcessContext {
  /** The kind of the reconciled objects. */
  readonly for: Kind
  /** The kinds of children; an event of a child reconciles its controller. */
  readonly owns?: readonly Kind[]
  readonly watches?: readonly Watched[]
  readonly reconcile: Reconcile
}

/**
 * Runs a controller as controller-runtime does: an informer per kind, a queue of keys, one worker
 * that starts when all informers have their first list, and a backoff after an error.
 */
export async function startController(options: ControllerOptions): Promise<void> {
  const { host, connection, owns = [], watches = [] } = options
  const client = new Client(host, connection)
  const queue = new WorkQueue(host)
  const informers = new Map<Kind, Informer>()
  const informerOf = (kind: Kind): Informer => {
    const known = informers.get(kind)
    if (known !== undefined) return known
    const onEvent = (object: StoredObject): void => {
      for (const key of keysOf(options, kind, object)) queue.add(key)
    }
    const informer = new Informer({ host, client, kind, onEvent })
    informers.set(kind, informer)
    void informer.run()
    return informer
  }
  for (const kind of [options.for, ...owns, ...watches.map((watched) => watched.kind)]) {
    informerOf(kind)
  }
  while ([...informers.values()].some(({ hasSynced }) => !hasSynced)) await host.sleep(100)
  const cache: CachedReader = {
    get: (kind, key) => structuredClone(informers.get(kind)?.get(key)) as never,
    list: (kind, selection) => structuredClone(informers.get(kind)?.list(selection)) as never,
  }
  await work(options, queue, { host, client, cache })
}

/** The keys of the objects that an event is about. */
function keysOf(
  { for: own, owns = [], watches = [] }: ControllerOptions,
  kind: Kind,
  object: StoredObject,
): string[] {
  const keys = kind === own ? [keyText(object.metadata)] : []
  const owner = controllerOf(object)
  if (owns.includes(kind) && owner?.kind === own.kind && owner.apiVersion === own.apiVersion) {
    keys.push(keyText({ ...object.metadata, name: owner.name }))
  }
  for (const watched of watches) {
    if (watched.kind !== kind) continue
    keys.push(...watched.keysOf(object).map(({ namespace, name }) => `${namespace}/${name}`))
  }
  return keys
}

async function work(
  { reconcile, onError }: ControllerOptions,
  queue: WorkQueue,
  tools: Tools,
): Promise<never> {
  for (;;) {
    const key = await queue.take()
    const [namespace = '', name = ''] = key.split('/')
    try {
      const result = await reconcile({ namespace, name }, tools)
      queue.forget(key)
      const requeueAfterMs = result?.requeueAfterMs
      if (requeueAfterMs !== undefined) queue.addAfter(key, requeueAfterMs)
    } catch (error) {
      onError(error, key)
      queue.retry(key)
    }
    queue.done(key)
  }
}
