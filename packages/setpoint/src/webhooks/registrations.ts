import type { Client } from '../client/index.ts'
import {
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../kinds/index.ts'
import { kindName } from '../kinds/kind-name.ts'
import type { Logger } from '../log/index.ts'
import type { ReadinessCheck } from '../metrics/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import { admissionConfigurations, type WebhookConfiguration } from './admission-configurations.ts'
import { conversionWebhook } from './conversion-review.ts'
import { ApiServiceRegistrations } from './api-service-registrations.ts'
import { repeatedWrite } from './repeated-write.ts'
import type { WebhookAddress, WebhookClientConfig } from './webhook-address.ts'
import { convertedDefinitions } from './webhook-routes.ts'

/** The dependencies of `Registrations`. */
interface RegistrationsOptions {
  readonly client: Client
  readonly log: Logger
  readonly address: WebhookAddress
  /** The address of aggregated APIs. */
  readonly apiAddress: WebhookAddress
  /** Apply the configurations, instead of only setting their CA bundles. */
  readonly install: boolean
  readonly namespaces: readonly string[] | undefined
}

const configurationKinds = { MutatingWebhookConfiguration, ValidatingWebhookConfiguration }

/**
 * The objects by which API servers know the webhooks of a process: configurations, CRDs and
 * APIServices. Keeps their CA bundles. Every replica does it: a bundle is only written if it
 * differs, and an object that changed meanwhile is read again.
 */
export class Registrations {
  readonly #operators: readonly AnyOperator[]
  readonly #options: RegistrationsOptions
  /** What is missing, by object. */
  readonly #problems = new Map<string, string>()
  readonly #apiServices: ApiServiceRegistrations
  #isApplied = false

  constructor(operators: readonly AnyOperator[], options: RegistrationsOptions) {
    this.#operators = operators
    this.#options = options
    this.#apiServices = new ApiServiceRegistrations(operators, {
      ...options,
      address: options.apiAddress,
    })
  }

  /** Resolves when all objects have the bundle, or do not exist. Throws if a write fails. */
  async register(caBundle: string | undefined): Promise<void> {
    const { address, install, namespaces } = this.#options
    const configurations = admissionConfigurations(this.#operators, {
      address,
      caBundle,
      namespaces,
    })
    const isFirst = install && !this.#isApplied
    await Promise.all([
      this.#apiServices.register(caBundle),
      ...configurations.map(async (one) => (isFirst ? this.#apply(one) : this.#update(one))),
      ...convertedDefinitions(this.#operators).map(async (definition) =>
        this.#updateConversion(
          kindName(definition),
          conversionWebhook(definition, address, caBundle),
        ),
      ),
    ])
    this.#isApplied = true
  }

  readiness(): ReadinessCheck[] {
    const own = [...this.#problems].map(([name, note]) => ({ name, problem: undefined, note }))
    return [...own, ...this.#apiServices.readiness()]
  }

  async #apply(configuration: WebhookConfiguration): Promise<void> {
    const { client, log } = this.#options
    const { kind, metadata } = configuration
    const options = { fieldManager: 'setpoint', force: true }
    await client.apply(configurationKinds[kind], configuration, options)
    log.info({ configuration: metadata.name, kind }, 'registered the admission webhooks')
  }

  /** Sets the CA bundles of a configuration that another client applied. */
  async #update(desired: WebhookConfiguration): Promise<void> {
    const { client } = this.#options
    const { name } = desired.metadata
    const kind = configurationKinds[desired.kind]
    const place = `${desired.kind} ${name}`
    await repeatedWrite(async () => {
      const live = await client.find(kind, name)
      const registered = live?.webhooks ?? []
      const missing = desired.webhooks.filter(
        (one) => !registered.some((it) => it.name === one.name),
      )
      this.#report(place, missing, live === undefined)
      const operations = registered.flatMap((webhook, index) => {
        const own = desired.webhooks.find((one) => one.name === webhook.name)
        const value = own?.clientConfig.caBundle
        if (value === undefined || value === webhook.clientConfig.caBundle) return []
        return [{ op: 'add' as const, path: `/webhooks/${index}/clientConfig/caBundle`, value }]
      })
      const resourceVersion = live?.metadata.resourceVersion
      if (resourceVersion === undefined || operations.length === 0) return
      const unchanged = {
        op: 'test' as const,
        path: '/metadata/resourceVersion',
        value: resourceVersion,
      }
      await client.patch(kind, name, { json: [unchanged, ...operations] })
    })
  }

  #report(place: string, missing: readonly { readonly name: string }[], isAbsent: boolean): void {
    if (missing.length === 0) {
      this.#problems.delete(place)
      return
    }
    const names = missing.map(({ name }) => name).join(', ')
    const problem = isAbsent ? 'does not exist' : `does not contain ${names}`
    if (this.#problems.get(place) === problem) return
    this.#problems.set(place, problem)
    this.#options.log.warn(
      { configuration: place },
      `${place} ${problem}: API servers do not call these webhooks; apply the generated manifests, or start with install: true`,
    )
  }

  /** Sets the CA bundle of a CRD that is converted by this process. */
  async #updateConversion(
    name: string,
    { caBundle, service, url }: WebhookClientConfig,
  ): Promise<void> {
    const { client, log } = this.#options
    const place = `CustomResourceDefinition ${name}`
    await repeatedWrite(async () => {
      const live = await client.find(CustomResourceDefinition, name)
      const config = live?.spec.conversion?.webhook?.clientConfig
      const isOwn =
        config?.url === url &&
        config?.service?.name === service?.name &&
        config?.service?.namespace === service?.namespace
      if (live !== undefined && !isOwn && !this.#problems.has(place)) {
        this.#problems.set(place, 'is converted by another webhook')
        log.warn({ crd: name }, `${place} is converted by another webhook: apply the generated CRD`)
      } else if (isOwn) this.#problems.delete(place)
      if (live === undefined || !isOwn || caBundle === undefined) return
      if (config?.caBundle === caBundle) return
      const { resourceVersion } = live.metadata
      await client.patch(CustomResourceDefinition, name, {
        merge: {
          metadata: { resourceVersion },
          spec: { conversion: { webhook: { clientConfig: { caBundle } } } },
        },
      })
    })
  }
}
