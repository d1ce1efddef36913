import type { Timers } from 'setpoint/host'
import type { ServiceProxy } from '../../outbound/index.ts'
import type { Store } from '../../store/index.ts'
import type { RequestInfo } from '../http/request-info.ts'
import { hasDocument } from '../openapi/openapi-documents.ts'
import type { Registry } from '../resources/registry.ts'
import { ApiServices, type RemoteApiService } from './api-services.ts'
import { RemoteDocuments } from './remote-documents.ts'

interface AggregationOptions {
  readonly host: Timers
  readonly store: Store
  readonly registry: Registry
  readonly proxy: ServiceProxy
}

const documentPrefix = '/openapi/v3/'

/** The APIs that other servers serve for this one. */
export class Aggregation {
  readonly services: ApiServices
  readonly documents: RemoteDocuments
  readonly proxy: ServiceProxy
  readonly host: Timers

  readonly #registry: Registry

  constructor({ host, store, registry, proxy }: AggregationOptions) {
    this.#registry = registry
    this.host = host
    this.services = new ApiServices(store)
    this.documents = new RemoteDocuments(host, proxy)
    this.proxy = proxy
  }

  /** The APIService of another server that answers this request. */
  find({ path, group, version }: RequestInfo): RemoteApiService | undefined {
    const { remote } = this.services
    if (remote.size === 0) return undefined
    if (path.startsWith('/apis/')) return remote.get(`${version}.${group}`)
    if (path.startsWith(documentPrefix)) return this.#serverOf(path.slice(documentPrefix.length))
    return path === '/api' || path.startsWith('/api/') ? remote.get('v1.') : undefined
  }

  /** The server of an OpenAPI document that this server does not have. */
  #serverOf(name: string): RemoteApiService | undefined {
    if (hasDocument(this.#registry, name)) return undefined
    return [...this.services.remote.values()].find((service) =>
      Object.hasOwn(this.documents.openApiPathsOf(service), name),
    )
  }
}
