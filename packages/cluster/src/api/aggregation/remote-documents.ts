import { createHash } from 'node:crypto'
import { readBytes, type Timers } from 'setpoint/host'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import { OutboundError, type ServiceProxy } from '../../outbound/index.ts'
import { version3Of } from '../openapi/version-2/version-3-of.ts'
import type { RemoteApiService } from './api-services.ts'
import { remoteUserHeaders } from './remote-user.ts'
import { RemoteDocumentError, versionInDiscovery, versionInResourceList } from './remote-version.ts'

/** What is known about the documents of one APIService. */
interface RemoteState {
  /** The version in aggregated discovery. */
  readonly discovery: JsonObject
  readonly isStale: boolean
  readonly discoveryEtag: string | undefined
  readonly openApi: RemoteOpenApi | undefined
}

/** The documents of OpenAPI v3: those that the server has, or one that is made from version 2. */
type RemoteOpenApi =
  | { readonly paths: Readonly<Record<string, JsonValue>> }
  | { readonly converted: { readonly hash: string; readonly text: string } }

/** A document of another server. */
interface RemoteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface DocumentRequest {
  readonly path: string
  readonly accept?: string
  readonly etag?: string | undefined
  readonly user: { readonly name: string; readonly groups: readonly string[] }
  readonly timeoutMs: number
}

const discoveryUser = { name: 'system:kube-aggregator', groups: ['system:masters'] }
const legacyUser = { name: 'system:kube-aggregator', groups: [] }
const openApiUser = { name: 'system:aggregator', groups: [] }

const discoveryTimeoutMs = 5_000
const openApiTimeoutMs = 60_000

/** The largest document that is read. */
const documentBytesMax = 32 * 1024 * 1024

const discoveryTypes = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(',')

/**
 * The documents of aggregated APIs: discovery, and the index of OpenAPI v3. They are read when an
 * APIService changes and then regularly, so that no client waits for another server.
 */
export class RemoteDocuments {
  readonly #host: Timers
  readonly #proxy: ServiceProxy
  readonly #states = new Map<string, RemoteState>()

  constructor(host: Timers, proxy: ServiceProxy) {
    this.#host = host
    this.#proxy = proxy
  }

  /** Increases with every change, so that derived documents can be cached by it. */
  revision = 0

  /** The version in aggregated discovery. Without an answer it has no resources, and is stale. */
  discoveryOf({ name, version }: RemoteApiService): JsonObject {
    const state = this.#states.get(name)
    const freshness = state === undefined || state.isStale ? 'Stale' : 'Current'
    return { ...(state?.discovery ?? { version }), freshness }
  }

  /** The paths in the index of OpenAPI v3. */
  openApiPathsOf({ name }: RemoteApiService): Readonly<Record<string, JsonValue>> {
    const openApi = this.#states.get(name)?.openApi
    return openApi !== undefined && 'paths' in openApi ? openApi.paths : {}
  }

  /** The document of OpenAPI v3 of a server that has only version 2. */
  convertedOf({ name }: RemoteApiService): { hash: string; text: string } | undefined {
    const openApi = this.#states.get(name)?.openApi
    return openApi !== undefined && 'converted' in openApi ? openApi.converted : undefined
  }

  /** Forgets the APIServices that are not in `names`. */
  retain(names: ReadonlyMap<string, unknown>): void {
    for (const name of this.#states.keys()) {
      if (names.has(name)) continue
      this.#states.delete(name)
      this.revision += 1
    }
  }

  /** Marks the discovery of a server as stale: there is no address of it. */
  lose(service: RemoteApiService): void {
    const { name, version } = service
    const before = this.#states.get(name)
    if (before?.isStale === true) return
    this.#set(name, {
      discovery: { version },
      isStale: true,
      discoveryEtag: undefined,
      openApi: before?.openApi,
    })
  }

  /** Asks a server for its documents. */
  async refresh(service: RemoteApiService): Promise<void> {
    const { name, version } = service
    const before = this.#states.get(name)
    const found = await this.#readDiscovery(service, before)
    const openApi = await this.#readOpenApi(service, before)
    this.#set(name, {
      ...(found ?? { discovery: { version }, discoveryEtag: undefined }),
      isStale: found === undefined,
      openApi,
    })
  }

  /** Asks a server for a document; `undefined` if it does not answer. */
  async read(
    service: RemoteApiService,
    request: DocumentRequest,
  ): Promise<RemoteAnswer | undefined> {
    const { path, accept, etag, user, timeoutMs } = request
    const controller = new AbortController()
    const overdue = this.#host.setTimer(timeoutMs, () => controller.abort())
    try {
      const { status, headers, body } = await this.#proxy.send(service.target, {
        method: 'GET',
        path,
        headers: {
          ...remoteUserHeaders(user),
          ...(accept === undefined ? {} : { accept }),
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
        },
        signal: controller.signal,
      })
      const bytes = await readBytes(body, documentBytesMax)
      return { status, headers, text: Buffer.from(bytes).toString('utf8') }
    } catch (error) {
      // Its availability condition says why: availability is checked before documents are read.
      const isLate = controller.signal.aborted
      if (isLate || error instanceof OutboundError || isNetworkError(error)) return undefined
      throw error
    } finally {
      overdue.cancel()
    }
  }

  #set(name: string, state: RemoteState): void {
    const before = this.#states.get(name)
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(state)) return
    this.#states.set(name, state)
    this.revision += 1
  }

  async #readDiscovery(
    service: RemoteApiService,
    before: RemoteState | undefined,
  ): Promise<Pick<RemoteState, 'discovery' | 'discoveryEtag'> | undefined> {
    const { group, version } = service
    const etag = before?.isStale === false ? before.discoveryEtag : undefined
    const asked = { user: discoveryUser, timeoutMs: discoveryTimeoutMs }
    const answer = await this.read(service, {
      ...asked,
      path: '/apis',
      accept: discoveryTypes,
      etag,
    })
    if (answer === undefined || answer.status === 503) return undefined
    if (answer.status === 304 && before !== undefined) return before
    if (answer.status === 200 && isDiscoveryType(answer.headers['content-type'] ?? '')) {
      const discovery = parsed(answer, (value) => versionInDiscovery(value, { group, version }))
      return discovery && { discovery, discoveryEtag: answer.headers['etag'] }
    }
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const legacy = { path, accept: 'application/json', ...asked, user: legacyUser }
    const list = await this.read(service, legacy)
    if (list?.status !== 200) return undefined
    const discovery = parsed(list, (value) => versionInResourceList(value, version))
    return discovery && { discovery, discoveryEtag: undefined }
  }

  async #readOpenApi(
    service: RemoteApiService,
    before: RemoteState | undefined,
  ): Promise<RemoteState['openApi']> {
    const asked = { user: openApiUser, timeoutMs: openApiTimeoutMs }
    const answer = await this.read(service, { ...asked, path: '/openapi/v3' })
    if (answer?.status === 404) {
      const old = { ...asked, path: '/openapi/v2', accept: 'application/json' }
      return converted(await this.read(service, old)) ?? before?.openApi
    }
    if (answer?.status !== 200) return before?.openApi
    const paths = parsed(answer, (value) => (isJsonObject(value) ? value['paths'] : undefined))
    return isJsonObject(paths) ? { paths } : before?.openApi
  }
}

function converted(answer: RemoteAnswer | undefined): RemoteOpenApi | undefined {
  if (answer?.status !== 200) return undefined
  const document = parsed(answer, (value) => (isJsonObject(value) ? version3Of(value) : undefined))
  if (document === undefined) return undefined
  const text = encodeJson(document)
  const hash = createHash('sha512').update(text).digest('hex').toUpperCase()
  return { converted: { hash, text } }
}

function isDiscoveryType(type: string): boolean {
  const [, ...rest] = type.split(';').map((part) => part.trim())
  const params = new Map(rest.map((part) => part.split('=') as [string, string]))
  return (
    params.get('g') === 'apidiscovery.k8s.io' &&
    params.get('as') === 'APIGroupDiscoveryList' &&
    ['v2', 'v2beta1'].includes(params.get('v') ?? '')
  )
}

/** `undefined` if the document is not what it should be: then it counts as missing. */
function parsed<Value>(
  { text }: RemoteAnswer,
  read: (value: JsonValue) => Value,
): Value | undefined {
  try {
    return read(JSON.parse(text) as JsonValue)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RemoteDocumentError) return undefined
    throw error
  }
}

function isNetworkError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && (code.startsWith('NETWORK_') || code.startsWith('BODY_'))
}
