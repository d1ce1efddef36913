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
 * What a real server does about API services in the background: versions of custom resources have one
 * each, and all of them say whether they are available. Services of others are not asked here.
 */
export class ApiServiceUpkeep {
  readonly #server: ApiServer
  #isPending = false

  constructor(server: ApiServer) {
    this.#server = server
  }

  /** After the answer to a write that may be the reason for it. */
  committed({ resource }: Commit): void {
    const { bucket } = resource
    const matters = [servicesBucket, '/services', 'discovery.k8s.io/endpointslices']
    if (matters.includes(bucket)) this.definitionsChanged()
  }

  /** What is served may have changed. */
  definitionsChanged(): void {
    if (this.#isPending) return
    this.#isPending = true
    this.#server.host.setTimer(0, () => {
      this.#isPending = false
      this.#register()
      for (const { key } of [...this.#server.store.list(servicesBucket, '')]) this.#judge(key)
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

  /** Unless somebody made one by hand. */
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

  #judge(name: string): void {
    const { store, registry, host } = this.#server
    const stored = store.get(servicesBucket, name)
    const [group = '', plural = ''] = servicesBucket.split('/')
    const resource = registry.findResource(group, plural)
    if (stored === undefined || resource === undefined) return
    // Those that are always there were told so when they were made.
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
