import type { JsonObject } from 'setpoint/schema'
import {
  readObject,
  setCondition,
  storedText,
  writeOwnStatus,
  type ApiServer,
  type Commit,
} from '../api/index.ts'
import { formatTime } from '../object/index.ts'
import type { StoreWrite } from '../store/index.ts'
import {
  automanagedService,
  managedLabel,
  managedLabels,
  type ServedGroupVersion,
} from './automanaged-service.ts'
import { serviceAvailability, type ApiServiceSpec } from './api-service-availability.ts'

const servicesBucket = 'apiregistration.k8s.io/apiservices'

/**
 * Maintains APIServices in the background, as a real server does. Each version of custom resources
 * has an APIService, and all of them get an Available condition. Aggregated API servers are not
 * contacted.
 */
export class ApiServiceController {
  readonly #server: ApiServer
  #isPending = false

  constructor(server: ApiServer) {
    this.#server = server
  }

  /** Called after a write that may change availability. */
  committed({ resource }: Commit): void {
    const { bucket } = resource
    const matters = [servicesBucket, '/services', 'discovery.k8s.io/endpointslices']
    if (matters.includes(bucket)) this.definitionsChanged()
  }

  /** Called when the served versions may have changed. */
  definitionsChanged(): void {
    if (this.#isPending) return
    this.#isPending = true
    this.#server.host.setTimer(0, () => {
      this.#isPending = false
      this.#register()
      for (const { key } of [...this.#server.store.list(servicesBucket, '')])
        this.#updateAvailability(key)
    })
  }

  #register(): void {
    const { registry, store } = this.#server
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
  }

  #updateAvailability(name: string): void {
    const { store, registry, host } = this.#server
    const stored = store.get(servicesBucket, name)
    const [group = '', plural = ''] = servicesBucket.split('/')
    const resource = registry.findResource(group, plural)
    if (stored === undefined || resource === undefined) return
    // Automanaged APIServices get their condition at creation.
    if (stored.labels?.[managedLabel] !== undefined) return
    const service = readObject(resource, stored)
    const condition = serviceAvailability(
      this.#server,
      service['spec'] as unknown as ApiServiceSpec,
    )
    if (condition === undefined) return
    const before = JSON.stringify(service['status'])
    setCondition(service, formatTime(host.now()), condition)
    if (JSON.stringify(service['status']) !== before) {
      writeOwnStatus(this.#server, servicesBucket, service)
    }
  }
}
