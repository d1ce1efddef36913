import type { Client } from '../client/index.ts'
import { APIService, Service } from '../kinds/index.ts'
import type { Logger } from '../log/index.ts'
import type { ReadinessCheck } from '../metrics/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import {
  type ApiServiceObject,
  apiServiceObjects,
  localServiceObject,
} from './api-service-objects.ts'
import { repeatedWrite } from './repeated-write.ts'
import type { WebhookAddress } from './webhook-address.ts'

/** The dependencies of `ApiServiceRegistrations`. */
interface ApiServiceOptions {
  readonly client: Client
  readonly log: Logger
  readonly address: WebhookAddress
  /** Apply the APIServices, instead of only setting their CA bundles. */
  readonly install: boolean
}

/** The APIServices by which API servers know the aggregated APIs of a process. */
export class ApiServiceRegistrations {
  readonly #operators: readonly AnyOperator[]
  readonly #options: ApiServiceOptions
  /** What is missing, by object. */
  readonly #problems = new Map<string, string>()

  constructor(operators: readonly AnyOperator[], options: ApiServiceOptions) {
    this.#operators = operators
    this.#options = options
  }

  /** Resolves when all APIServices have the bundle, or do not exist. Throws if a write fails. */
  async register(caBundle: string | undefined): Promise<void> {
    const { address, install, client } = this.#options
    const objects = apiServiceObjects(this.#operators, { address, caBundle })
    if (objects.length === 0) return
    if (install && 'url' in address) {
      await client.apply(Service, localServiceObject(address.url), applied)
    }
    await Promise.all(objects.map(async (one) => (install ? this.#apply(one) : this.#update(one))))
  }

  readiness(): ReadinessCheck[] {
    return [...this.#problems].map(([name, note]) => ({ name, problem: undefined, note }))
  }

  async #apply(desired: ApiServiceObject): Promise<void> {
    const { client, log } = this.#options
    const { name } = desired.metadata
    await client.apply(APIService, desired, applied)
    log.info({ apiService: name }, 'registered the aggregated API')
  }

  /** Sets the CA bundle of an APIService that another client applied. */
  async #update({ metadata: { name }, spec }: ApiServiceObject): Promise<void> {
    const { client } = this.#options
    await repeatedWrite(async () => {
      const live = await client.find(APIService, name)
      const service = live?.spec.service
      const isOwn =
        service?.name === spec.service.name && service.namespace === spec.service.namespace
      this.#report(name, live === undefined ? 'does not exist' : isOwn ? '' : otherServer)
      if (live === undefined || !isOwn || spec.caBundle === undefined) return
      if (live.spec.caBundle === spec.caBundle) return
      const { resourceVersion } = live.metadata
      await client.patch(APIService, name, {
        merge: { metadata: { resourceVersion }, spec: { caBundle: spec.caBundle } },
      })
    })
  }

  #report(name: string, problem: string): void {
    const place = `APIService ${name}`
    if (problem === '') this.#problems.delete(place)
    if (problem === '' || this.#problems.get(place) === problem) return
    this.#problems.set(place, problem)
    this.#options.log.warn(
      { apiService: name },
      `${place} ${problem}: API servers do not forward requests to this process; apply the generated manifests, or start with install: true`,
    )
  }
}

const otherServer = 'names the Service of another server'

const applied = { fieldManager: 'setpoint', force: true }
