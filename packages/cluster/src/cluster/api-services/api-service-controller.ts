import type { JsonObject } from 'setpoint/schema'
import {
  apiServicesBucket,
  managedLabel,
  readObject,
  setCondition,
  storedText,
  writeOwnStatus,
  type ApiServer,
  type Commit,
} from '../../api/index.ts'
import { formatTime } from '../../object/index.ts'
import type { StoreWrite } from '../../store/index.ts'
import {
  automanagedService,
  managedLabels,
  type ServedGroupVersion,
} from './automanaged-service.ts'
import { localAvailability, type Availability } from './api-service-availability.ts'
import { AvailabilityChecks } from './availability-checks.ts'
import type { InProcessTraffic } from '../in-process-host.ts'

const servicesBucket = apiServicesBucket

/**
 * Maintains APIServices in the background, as a real server does. Each version of custom resources
 * has an APIService, and all of them get an Available condition.
 */
export class ApiServiceController {
  readonly #server: ApiServer
  readonly #checks: AvailabilityChecks
  #isPending = false

  constructor(server: ApiServer) {
    this.#server = server
    this.#checks = new AvailabilityChecks({
      server,
      write: (name, availability) => this.#setAvailability(name, availability),
    })
  }

  /** The checks of other servers that are in progress. */
  get traffic(): InProcessTraffic {
    return { requests: this.#checks.runningCount + (this.#isPending ? 1 : 0), busyWatches: 0 }
  }

  /** Follows the APIServices of other servers in a store that an earlier process filled. */
  begin(): void {
    if (this.#server.aggregation.services.remote.size > 0) this.definitionsChanged()
  }

  /** Called after a write that may change availability. */
  committed({ resource, stored }: Commit): void {
    const { services } = this.#server.aggregation
    if (resource.bucket === servicesBucket) {
      services.changed()
      this.definitionsChanged()
    } else if (resource.bucket === '/services') this.serviceChanged(stored.key)
    else if (resource.bucket === 'discovery.k8s.io/endpointslices') {
      const namespace = stored.key.split('/')[0] ?? ''
      const name = stored.labels?.['kubernetes.io/service-name'] ?? ''
      this.serviceChanged(`${namespace}/${name}`)
    }
  }

  /** Called when a Service (`namespace/name`) leads to other servers. */
  serviceChanged(key: string): void {
    const { remote } = this.#server.aggregation.services
    if (remote.size === 0) return
    this.#checks.changed(
      [...remote.values()].filter(
        ({ target: { service } }) => `${service.namespace}/${service.name}` === key,
      ),
    )
  }

  /** Called when the served versions may have changed. */
  definitionsChanged(): void {
    if (this.#isPending) return
    this.#isPending = true
    this.#server.host.setTimer(0, () => {
      this.#isPending = false
      this.#register()
      this.#followRemote()
      for (const { key } of [...this.#server.store.list(servicesBucket, '')]) this.#updateLocal(key)
    })
  }

  /** Ends the checks of other servers. */
  stop(): void {
    this.#checks.stop()
  }

  #followRemote(): void {
    const { services, documents } = this.#server.aggregation
    const { remote } = services
    this.#checks.retain(remote)
    documents.retain(remote)
    const changed = [...remote.values()].filter(
      (service) => this.#known.get(service.name) !== JSON.stringify(service),
    )
    this.#known = new Map([...remote].map(([name, service]) => [name, JSON.stringify(service)]))
    this.#checks.changed(changed)
  }

  /** The APIServices of other servers as they were checked. */
  #known: ReadonlyMap<string, string> = new Map()

  #register(): void {
    const { registry, store, aggregation } = this.#server
    const served = registry
      .groups()
      .flatMap(({ name, versions }) =>
        versions.flatMap(({ version, isCustom }) => (isCustom ? [{ group: name, version }] : [])),
      )
    const names = new Set(served.map(({ group, version }) => `${version}.${group}`))
    for (const each of served) this.#add(each)
    for (const stored of [...store.list(servicesBucket, '')]) {
      if (stored.labels?.[managedLabel] !== 'true' || names.has(stored.key)) continue
      const { key, revision: expected, text, labels, schemaTag } = stored
      const object = JSON.parse(`{${text}`) as JsonObject
      const serialise = (revision: number): string => storedText(object, revision)
      store.remove({ bucket: servicesBucket, key, expected, schemaTag, labels, serialise })
      aggregation.services.changed()
    }
  }

  /** Does nothing if a user created the APIService. */
  #add(served: ServedGroupVersion): void {
    const { store, host } = this.#server
    const key = `${served.version}.${served.group}`
    if (store.get(servicesBucket, key) !== undefined) return
    const object = automanagedService(served, { uid: host.uuid(), time: formatTime(host.now()) })
    const write: StoreWrite = {
      bucket: servicesBucket,
      key,
      expected: 0,
      schemaTag: '',
      labels: managedLabels,
      serialise: (revision) => storedText(object, revision),
    }
    store.put(write)
    this.#server.aggregation.services.changed()
  }

  #updateLocal(name: string): void {
    const { store, aggregation } = this.#server
    // Automanaged APIServices get their condition at creation.
    if (store.get(servicesBucket, name)?.labels?.[managedLabel] !== undefined) return
    if (!aggregation.services.remote.has(name)) this.#setAvailability(name, localAvailability)
  }

  #setAvailability(name: string, availability: Availability): void {
    const { store, registry, host } = this.#server
    const stored = store.get(servicesBucket, name)
    const [group = '', plural = ''] = servicesBucket.split('/')
    const resource = registry.findResource(group, plural)
    if (stored === undefined || resource === undefined) return
    const service = readObject(resource, stored)
    const before = JSON.stringify(service['status'])
    setCondition(service, formatTime(host.now()), availability)
    if (JSON.stringify(service['status']) !== before) {
      writeOwnStatus(this.#server, servicesBucket, service)
    }
  }
}
