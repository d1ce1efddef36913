import type { ProxyTarget } from '../../outbound/index.ts'
import type { Store } from '../../store/index.ts'
import { type ApiService, sortedGroups } from './sorted-groups.ts'

/** The bucket of APIServices. */
export const apiServicesBucket = 'apiregistration.k8s.io/apiservices'

/** The label of APIServices that the server maintains itself. */
export const managedLabel = 'kube-aggregator.kubernetes.io/automanaged'

/** An APIService of another server. */
export interface RemoteApiService extends ApiService {
  readonly target: ProxyTarget
}

interface StoredApiService {
  readonly spec: Omit<ProxyTarget, 'service'> & {
    readonly service?: ProxyTarget['service']
    readonly group?: string
    readonly version: string
    readonly groupPriorityMinimum: number
    readonly versionPriority: number
  }
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

/** Reads the APIServices of a store. It keeps them until they change. */
export class ApiServices {
  readonly #store: Store
  #remote: ReadonlyMap<string, RemoteApiService> | undefined
  #groups: readonly (readonly ApiService[])[] | undefined
  #isExtended: boolean | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Called after every change of an APIService. */
  changed(): void {
    this.#remote = undefined
    this.#groups = undefined
    this.#isExtended = undefined
  }

  /** The APIServices of other servers, by name. */
  get remote(): ReadonlyMap<string, RemoteApiService> {
    return (this.#remote ??= this.#readRemote())
  }

  /** Whether a user has added an APIService to those that the server maintains. */
  get isExtended(): boolean {
    return (this.#isExtended ??= [...this.#store.list(apiServicesBucket, '')].some(
      ({ labels }) => labels?.[managedLabel] === undefined,
    ))
  }

  /** The APIServices of each group, in the order of discovery, without the core group. */
  get groups(): readonly (readonly ApiService[])[] {
    return (this.#groups ??= sortedGroups(
      [...this.#store.list(apiServicesBucket, '')].map(({ key, text }) => parsed(key, text)),
    ))
  }

  #readRemote(): ReadonlyMap<string, RemoteApiService> {
    const remote = new Map<string, RemoteApiService>()
    for (const { key, text } of this.#store.list(apiServicesBucket, '')) {
      // Most are local: reading all of them would delay the first request of a cluster.
      if (!text.includes('"service":{')) continue
      const service = parsed(key, text)
      if (isRemote(service)) remote.set(key, service)
    }
    return remote
  }
}

function isRemote(service: ApiService): service is RemoteApiService {
  return service.target !== undefined
}

function parsed(name: string, text: string): ApiService {
  const { spec, status } = JSON.parse(`{${text}`) as StoredApiService
  const { group = '', version, groupPriorityMinimum, versionPriority, service } = spec
  const { caBundle, insecureSkipTLSVerify } = spec
  return {
    name,
    group,
    version,
    groupPriority: groupPriorityMinimum,
    versionPriority,
    target: service === undefined ? undefined : { service, caBundle, insecureSkipTLSVerify },
    isAvailable: (status?.conditions ?? []).some(
      ({ type, status: state }) => type === 'Available' && state === 'True',
    ),
  }
}
