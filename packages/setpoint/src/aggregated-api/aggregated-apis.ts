import type { Client } from '../client/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { Clock, Random, ServerResponse, Timers } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { hashText } from '../schema/hash-text.ts'
import type { JsonObject } from '../schema/index.ts'
import { type BoundedRequest, textResponse } from '../server/index.ts'
import { acceptedForm } from './accepted-form.ts'
import { AccessReviews } from './access/access-reviews.ts'
import { FrontProxy } from './access/front-proxy.ts'
import { frontProxyUser } from './access/front-proxy-settings.ts'
import { ApiRefusal, jsonResponse, refusals } from './api-refusal.ts'
import { resourceRequest } from './api-request.ts'
import type { ApiDeclaration } from './declare/api-declaration.ts'
import type { ApiUser } from './declare/served-types.ts'
import {
  groupDocument,
  groupsDocument,
  resourcesDocument,
} from './documents/discovery-documents.ts'
import { openApiV2, openApiV3 } from './documents/openapi-documents.ts'
import type { VerbContext } from './verbs/call-function.ts'
import { getVerb, listVerb } from './verbs/read-verbs.ts'
import { watchVerb } from './verbs/watch-verb.ts'
import { createVerb, deleteVerb, patchVerb, updateVerb } from './verbs/write-verbs.ts'

/** The dependencies of `AggregatedApis`. */
interface ApisOptions {
  readonly host: Clock & Timers & Random
  readonly client: Client
  readonly log: Logger
  /** Aborted when the process ends: then watches end, too. */
  readonly signal: AbortSignal
  /** Called when another authority signs the certificates of API servers. */
  readonly onClientCa: () => void
}

const probes = ['/healthz', '/readyz', '/livez']

/** Serves aggregated APIs: discovery, schemas and objects, for requests of API servers. */
export class AggregatedApis {
  readonly #apis: readonly ApiDeclaration[]
  readonly #options: ApisOptions
  readonly #frontProxy: FrontProxy
  readonly #reviews: AccessReviews

  constructor(apis: readonly ApiDeclaration[], options: ApisOptions) {
    const { host, client, log, onClientCa: onChange } = options
    this.#apis = apis
    this.#options = options
    this.#frontProxy = new FrontProxy({ host, client, log, onChange })
    this.#reviews = new AccessReviews(host, client)
  }

  /** The authority of the certificates of API servers, for the TLS server. */
  get clientCa(): string | undefined {
    return this.#frontProxy.settings?.clientCa
  }

  /** Why no request can be answered. */
  get problem(): string | undefined {
    return this.#frontProxy.problem
  }

  /** Reads how API servers authenticate themselves. */
  async prepare(): Promise<void> {
    await this.#frontProxy.read()
  }

  /** Keeps that current until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#frontProxy.run(signal)
  }

  /** Whether a path belongs to the APIs. */
  handles(path: string): boolean {
    return path === '/apis' || /^\/(apis|openapi)\//.test(path) || probes.includes(path)
  }

  /** The path by which metrics count a request: names of objects would be too many. */
  metricPath(path: string): string {
    return path.split('/').slice(0, 4).join('/')
  }

  /** Answers a request; refusals are answers, too. */
  async handle(request: BoundedRequest): Promise<ServerResponse> {
    const [path = '', search = ''] = request.path.split('?')
    if (probes.includes(path)) return textResponse(200, 'ok')
    try {
      const user = frontProxyUser(this.#frontProxy.settings, request)
      if (user === undefined) throw refusals.unauthorized()
      const document = request.method === 'GET' ? this.#document(path, request) : undefined
      return document ?? (await this.#objects(user, request, { path, search }))
    } catch (error) {
      if (error instanceof ApiRefusal) return error.response
      throw error
    }
  }

  #document(path: string, { headers }: BoundedRequest): ServerResponse | undefined {
    const [, root = '', second = '', third = '', fourth = '', fifth] = path.split('/')
    const etag = headers['if-none-match']
    if (root === 'openapi') {
      if (second === 'v2') return documentResponse(openApiV2(this.#apis), { etag })
      if (second === 'v3' && third === '') return jsonResponse(200, this.#openApiIndex())
      const api = this.#apiOf(fourth, fifth ?? '')
      if (api === undefined) throw refusals.noPath()
      return documentResponse(openApiV3(api), { etag })
    }
    if (second === '') {
      const { document, type } = groupsDocument(this.#apis, headers['accept'])
      return documentResponse(document, { etag, type })
    }
    const isGroup = this.#apis.some(({ group }) => group === second)
    if (isGroup && third === '') return jsonResponse(200, groupDocument(this.#apis, second))
    const api = this.#apiOf(second, third)
    if (api === undefined) throw refusals.noPath()
    return fourth === '' ? jsonResponse(200, resourcesDocument(api)) : undefined
  }

  #apiOf(group: string, version: string): ApiDeclaration | undefined {
    return this.#apis.find((api) => api.group === group && api.version === version)
  }

  #openApiIndex(): JsonObject {
    const paths = this.#apis.map((api): [string, JsonObject] => {
      const path = `apis/${api.group}/${api.version}`
      const hash = hashOf(openApiV3(api))
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }]
    })
    return { paths: Object.fromEntries(paths) }
  }

  async #objects(
    user: ApiUser,
    { method, headers, signal, text }: BoundedRequest,
    { path, search }: { readonly path: string; readonly search: string },
  ): Promise<ServerResponse> {
    const { host, client, log } = this.#options
    const [, , group = '', version = ''] = path.split('/')
    const api = this.#apiOf(group, version)
    if (api === undefined) throw refusals.noPath()
    const request = resourceRequest(api, { method, path, query: new URLSearchParams(search) })
    await this.#authorize(user, request)
    const form = acceptedForm(headers['accept'])
    const context: VerbContext = { host, client, log, user, form, signal, request }
    const sent = { contentType: headers['content-type'] ?? '', text }
    switch (request.verb) {
      case 'get':
        return getVerb(context)
      case 'list':
        return listVerb(context)
      case 'watch':
        return watchVerb(context, this.#options.signal)
      case 'create':
        return createVerb(context, sent)
      case 'update':
        return updateVerb(context, sent)
      case 'patch':
        return patchVerb(context, sent)
      case 'delete':
        return deleteVerb(context, sent)
    }
  }

  async #authorize(user: ApiUser, request: VerbContext['request']): Promise<void> {
    try {
      await this.#reviews.check(user, request)
    } catch (error) {
      if (error instanceof ApiRefusal || !isSetpointError(error)) throw error
      this.#options.log.error({ err: error }, 'cannot ask the API server whether a user is allowed')
      throw refusals.failed('the permissions of the user could not be checked')
    }
  }
}

/** A document that clients keep: with its hash, and without a body if they have it. */
function documentResponse(
  document: JsonObject,
  { etag, type = 'application/json' }: { etag: string | undefined; type?: string },
): ServerResponse {
  const own = `"${hashOf(document)}"`
  const headers = { 'content-type': type, etag: own, vary: 'Accept' }
  if (etag === own) return { status: 304, headers }
  return { status: 200, headers, body: JSON.stringify(document) }
}

function hashOf(document: JsonObject): string {
  const { low, high } = hashText(JSON.stringify(document))
  return [low, high].map((word) => (word >>> 0).toString(16)).join('')
}
