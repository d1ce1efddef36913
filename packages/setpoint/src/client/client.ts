import { SetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import type { InferResource, Kind } from '../kinds/kind.ts'
import type { ApiCall } from './transport/api-call.ts'
import { isApiError } from './transport/api-error.ts'
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  ListOptions,
  LogOptions,
  Patch,
  Selection,
  WatchOptions,
  WriteOptions,
} from './transport/call-options.ts'
import type { Connection } from './connection/connection.ts'
import { listPages } from './list-pages.ts'
import {
  describeObject,
  namespaceOf,
  type ObjectPlace,
  type ObjectRef,
  placeOf,
  resourcePath,
} from './object-ref.ts'
import type { AppliedOf, ListPage, ManifestOf, WatchEvent } from './object-types.ts'
import type { DynamicKind } from '../kinds/dynamic-kind.ts'
import { logLines } from './pod-log.ts'
import { servedKind } from './served-kind.ts'
import { acceptHeaders, withIdentity } from './transport/representation.ts'
import { Transport, type TransportOptions } from './transport/transport.ts'
import { watchEvents } from './watch-events.ts'
import {
  deleteBody,
  patchContent,
  patchTypes,
  selectionQuery,
  writeQuery,
} from './write-requests.ts'

/** The options of a client; each has a default. */
export interface ClientOptions extends TransportOptions {
  /** The field manager of this client's writes, unless a call names another one. */
  readonly fieldManager?: string | undefined
  /** The transport to use instead of a new one. */
  readonly transport?: Transport | undefined
}

/** The response to a delete: the terminating object, or a `Status` when it is deleted. */
interface DeleteAnswer {
  readonly kind: string
  readonly metadata: { readonly resourceVersion?: string }
}

/** The identity of pods, for their log and eviction. */
const podKind: Kind = {
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
  subresources: ['log', 'eviction'],
}

/**
 * The verbs of the Kubernetes API, typed by kind. A refusal is an `ApiError` with a code; a write
 * whose response was lost is `WRITE_OUTCOME_UNKNOWN`. Objects come directly from the server; the
 * client caches nothing.
 */
export class Client {
  /** The namespace of a bare name. */
  readonly namespace: string
  readonly transport: Transport
  readonly #fieldManager: string

  constructor(host: Host, connection: Connection, options: ClientOptions = {}) {
    this.namespace = connection.namespace
    this.transport = options.transport ?? new Transport(host, connection, options)
    this.#fieldManager = options.fieldManager ?? 'setpoint'
  }

  /** A kubeconfig for another program, with the credential of now: it may expire. */
  async kubeconfig(): Promise<string> {
    return this.transport.kubeconfig()
  }

  /** Reads an object; throws `API_NOT_FOUND` when there is none. */
  async get<K extends Kind>(
    kind: K,
    ref: ObjectRef,
    options: CallOptions & { readonly subresource?: string } = {},
  ): Promise<InferResource<K>> {
    const place = placeOf(kind, ref, this.namespace)
    const { subresource = '', ...rest } = options
    const path = resourcePath(kind, { ...place, subresource })
    return this.#object(kind, {
      method: 'GET',
      path,
      headers: acceptHeaders(kind, 'object'),
      what: `get of ${describeObject(kind, place)}`,
      ...rest,
    })
  }

  /** Reads an object; `undefined` when there is none. */
  async find<K extends Kind>(
    kind: K,
    ref: ObjectRef,
    options: CallOptions = {},
  ): Promise<InferResource<K> | undefined> {
    try {
      return await this.get(kind, ref, options)
    } catch (error) {
      if (isApiError(error, 'API_NOT_FOUND')) return undefined
      throw error
    }
  }

  /**
   * Finds a kind that is chosen at run time, by the names that manifests have; `undefined` if the
   * server does not serve it.
   */
  async kindOf(
    apiVersion: string,
    kind: string,
    options: CallOptions = {},
  ): Promise<DynamicKind | undefined> {
    return servedKind(this.transport, { apiVersion, kind }, options)
  }

  /** All selected objects. A page is read when the caller needs its first object. */
  async *list<K extends Kind>(
    kind: K,
    options: ListOptions = {},
  ): AsyncGenerator<InferResource<K>, void, undefined> {
    for await (const { items } of this.listPages(kind, options)) yield* items
  }

  /** All selected objects in one list; for large collections `list` needs less memory. */
  async listAll<K extends Kind>(kind: K, options: ListOptions = {}): Promise<InferResource<K>[]> {
    try {
      const pages: (readonly InferResource<K>[])[] = []
      for await (const { items } of this.listPages(kind, options)) pages.push(items)
      return pages.flat()
    } catch (error) {
      // The revision of the first page expired before the last page was read: read everything as
      // one page.
      if (!isApiError(error, 'API_EXPIRED') || options.pageSize === 0) throw error
      return this.listAll(kind, { ...options, pageSize: 0 })
    }
  }

  /** All selected objects as whole pages, with the revision from which to watch. */
  listPages<K extends Kind>(
    kind: K,
    options: ListOptions = {},
  ): AsyncGenerator<ListPage<InferResource<K>>, void, undefined> {
    return listPages(this.transport, kind, options)
  }

  /**
   * The events of one watch until the server ends it. It is one connection and does not reconnect;
   * use the cache for that.
   */
  watch<K extends Kind>(
    kind: K,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<InferResource<K>>, void, undefined> {
    return watchEvents(this.transport, kind, options)
  }

  /** Creates an object; throws `API_ALREADY_EXISTS` when the name is taken. */
  async create<K extends Kind>(
    kind: K,
    manifest: ManifestOf<K>,
    options: WriteOptions = {},
  ): Promise<InferResource<K>> {
    const body = this.#withIdentity(kind, manifest, options)
    // Reviews, for example, have no metadata.
    const { name = '', namespace } = (body as Partial<Identified>).metadata ?? {}
    const target = { namespace: namespaceOf(kind, namespace, this.namespace), name: '' }
    const what = `create of ${describeObject(kind, { ...target, name: name === '' ? '(generated)' : name })}`
    // A subresource such as a binding is created below an existing object.
    const isPart = options.subresource !== undefined
    const place = isPart ? placeOf(kind, named(kind, body), this.namespace) : target
    return this.#write(kind, { method: 'POST', place, body: JSON.stringify(body), what }, options)
  }

  /**
   * Replaces a whole object. With the `resourceVersion` of a read the write is an optimistic lock:
   * it fails with `API_CONFLICT` when the object has changed. Without it, changes by other writers
   * are overwritten.
   */
  async replace<K extends Kind>(
    kind: K,
    object: InferResource<K>,
    options: WriteOptions = {},
  ): Promise<InferResource<K>> {
    const body = this.#withIdentity(kind, object, options)
    const place = placeOf(kind, named(kind, body), this.namespace)
    const what = `update of ${describeObject(kind, place)}`
    return this.#write(kind, { method: 'PUT', place, body: JSON.stringify(body), what }, options)
  }

  /**
   * Changes parts of an object: `client.patch(Deployment, 'web', { merge: { spec: { replicas: 3 } }
   * })`.
   */
  async patch<K extends Kind>(
    kind: K,
    ref: ObjectRef,
    patch: Patch & WriteOptions,
  ): Promise<InferResource<K>> {
    const { type, content } = patchContent(patch)
    const place = placeOf(kind, ref, this.namespace)
    const headers = { 'content-type': patchTypes[type] }
    const what = `${type} patch of ${describeObject(kind, place)}`
    const body = JSON.stringify(content)
    return this.#write(kind, { method: 'PATCH', place, body, headers, what }, patch)
  }

  /**
   * Server-side apply: sets the fields of this field manager, and removes those that it applied
   * before and no longer does. Creates the object when it does not exist.
   */
  async apply<K extends Kind>(
    kind: K,
    applied: AppliedOf<K>,
    options: ApplyOptions = {},
  ): Promise<InferResource<K>> {
    const { force, ...rest } = options
    const body = this.#withIdentity(kind, applied, options)
    const place = placeOf(kind, named(kind, body), this.namespace)
    const headers = { 'content-type': patchTypes.apply }
    const what = `apply of ${describeObject(kind, place)}`
    const request = { method: 'PATCH', place, body: JSON.stringify(body), headers, what } as const
    return this.#write(kind, { ...request, query: { force } }, rest)
  }

  /** Deletes an object; `false` when it did not exist. */
  async delete(kind: Kind, ref: ObjectRef, options: DeleteOptions = {}): Promise<boolean> {
    return (await this.beginDelete(kind, ref, options)) !== undefined
  }

  /**
   * Deletes an object and returns the server's response: the terminating object, or a status;
   * `undefined` when it did not exist.
   */
  async beginDelete(
    kind: Kind,
    ref: ObjectRef,
    options: DeleteOptions = {},
  ): Promise<DeleteAnswer | undefined> {
    const place = placeOf(kind, ref, this.namespace)
    const what = `delete of ${describeObject(kind, place)}`
    try {
      const call = this.#deletion({ path: resourcePath(kind, place), what }, options)
      return (await this.transport.object(call)) as DeleteAnswer
    } catch (error) {
      if (isApiError(error, 'API_NOT_FOUND')) return undefined
      throw error
    }
  }

  /** Deletes all selected objects of one namespace (or of a cluster-scoped kind). */
  async deleteAll(kind: Kind, options: Selection & DeleteOptions = {}): Promise<void> {
    const { labelSelector, fieldSelector, namespace, ...rest } = options
    const place = { namespace: namespaceOf(kind, namespace, this.namespace) }
    const what = `delete of ${describeObject(kind, place)}`
    const query = selectionQuery({ labelSelector, fieldSelector })
    await this.transport.text(
      this.#deletion({ path: resourcePath(kind, place), what, query }, rest),
    )
  }

  /** The desired and the actual number of replicas. */
  async scale(
    kind: Kind,
    ref: ObjectRef,
    options: CallOptions = {},
  ): Promise<{ readonly desired: number; readonly actual: number }> {
    const scale = await this.get(kind, ref, { ...options, subresource: 'scale' })
    const { spec, status } = scale as {
      spec?: { replicas?: number }
      status?: { replicas?: number }
    }
    return { desired: spec?.replicas ?? 0, actual: status?.replicas ?? 0 }
  }

  /** Sets the desired number of replicas through the `scale` subresource. */
  async setScale(
    kind: Kind,
    ref: ObjectRef,
    { replicas, ...options }: Omit<WriteOptions, 'subresource'> & { readonly replicas: number },
  ): Promise<void> {
    await this.patch(kind, ref, { ...options, merge: { spec: { replicas } }, subresource: 'scale' })
  }

  /** The lines of a container's log as they arrive. */
  logs(ref: ObjectRef, options: LogOptions = {}): AsyncGenerator<string, void, undefined> {
    return logLines(this.transport, placeOf(podKind, ref, this.namespace), options)
  }

  /** Evicts a pod; `API_TOO_MANY_REQUESTS` when a PodDisruptionBudget does not allow it now. */
  async evict(ref: ObjectRef, options: DeleteOptions = {}): Promise<void> {
    const place = placeOf(podKind, ref, this.namespace)
    const { signal, timeout, ...rest } = options
    await this.transport.text({
      method: 'POST',
      path: resourcePath(podKind, { ...place, subresource: 'eviction' }),
      what: `eviction of ${describeObject(podKind, place)}`,
      query: writeQuery(rest),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: place,
        deleteOptions: deleteBody(rest),
      }),
      signal,
      timeout,
    })
  }

  async #write<K extends Kind>(
    kind: K,
    request: Pick<ApiCall, 'method' | 'what' | 'headers' | 'query'> & {
      readonly place: ObjectPlace
      readonly body: string
    },
    options: WriteOptions,
  ): Promise<InferResource<K>> {
    const { place, headers = { 'content-type': 'application/json' }, query, ...rest } = request
    const { subresource = '', signal, timeout } = options
    return this.#object(kind, {
      ...rest,
      path: resourcePath(kind, { ...place, subresource }),
      headers: { ...acceptHeaders(kind, 'object'), ...headers },
      query: { ...query, ...writeQuery({ fieldManager: this.#fieldManager, ...options }) },
      signal,
      timeout,
    })
  }

  #deletion(
    { query, ...target }: Pick<ApiCall, 'path' | 'what' | 'query'>,
    { signal, timeout, ...options }: DeleteOptions,
  ): ApiCall {
    return {
      ...target,
      method: 'DELETE',
      // The body has the options too: servers read them there.
      query: { ...query, ...writeQuery(options) },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(deleteBody(options)),
      signal,
      timeout,
    }
  }

  async #object<T>(kind: Kind, call: ApiCall): Promise<T> {
    const object = await this.transport.object(call)
    return (kind.part === undefined ? object : withIdentity(kind, object)) as T
  }

  /**
   * A manifest with the apiVersion and kind of its kind, which it may omit but not contradict. A
   * subresource may have its own.
   */
  #withIdentity(kind: Kind, given: unknown, { subresource }: WriteOptions): Identified {
    const object = given as Identified
    if (subresource !== undefined && object.kind !== undefined) return object
    for (const field of ['apiVersion', 'kind'] as const) {
      if (object[field] === undefined || object[field] === kind[field]) continue
      throw new SetpointError(
        'CLIENT_MISUSED',
        `the ${kind.kind} manifest has the ${field} ${JSON.stringify(object[field])}`,
        { hint: `omit ${field}, or write ${JSON.stringify(kind[field])}` },
      )
    }
    return { ...object, apiVersion: kind.apiVersion, kind: kind.kind }
  }
}

interface Identified {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: { readonly name?: string; readonly namespace?: string }
}

function named(kind: Kind, { metadata: { name, namespace } }: Identified): ObjectRef {
  if (name !== undefined) return { name, namespace }
  throw new SetpointError('CLIENT_MISUSED', `the ${kind.kind} manifest has no name`, {
    hint: 'set metadata.name',
  })
}
