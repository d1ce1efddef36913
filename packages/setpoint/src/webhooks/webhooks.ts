import { type Client, isApiError } from '../client/index.ts'
import { invariant, SetpointError } from '../errors/index.ts'
import type { Host, HttpServer } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import type { MetricsRegistry, ReadinessCheck } from '../metrics/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import {
  FileCertificate,
  SecretCertificate,
  type ServingCertificate,
} from '../serving-certificate/index.ts'
import type { AggregatedApis } from '../aggregated-api/index.ts'
import { localServiceHost, servedApis } from './api-service-objects.ts'
import { Registrations } from './registrations.ts'
import { removeRegistrations } from './remove-registrations.ts'
import { isLoopbackUrl } from './same-machine.ts'
import { LocalCertificate } from './local-certificate.ts'
import { conversionWebhook } from './conversion-review.ts'
import { secretName, type WebhookAddress, type WebhookClientConfig } from './webhook-address.ts'
import { WebhookMetrics } from './webhook-metrics.ts'
import type { WebhooksOptions } from './webhook-options.ts'
import { convertedDefinitions, webhookRoutes } from './webhook-routes.ts'
import { listenForWebhooks } from './webhook-server.ts'
import type { AnyResourceDefinition } from '../definition/index.ts'

/** The dependencies of `Webhooks`. */
interface WebhooksParts {
  readonly host: Host
  readonly client: Client
  readonly log: Logger
  readonly registry: MetricsRegistry
  readonly options: WebhooksOptions
  readonly install: boolean
  readonly namespaces: readonly string[] | undefined
  /** Aborted when the process ends. */
  readonly signal: AbortSignal
}

/**
 * The webhooks of a process: the functions of `.validate` and `.mutate`, the conversions of
 * definitions with several versions, and aggregated APIs. Every replica serves them, including
 * standbys.
 */
export class Webhooks {
  readonly #operators: readonly AnyOperator[]
  readonly #parts: WebhooksParts
  #server: HttpServer | undefined
  #address: WebhookAddress | undefined
  #certificate: ServingCertificate | undefined
  #registrations: Registrations | undefined
  readonly #apis: AggregatedApis | undefined
  #keeping: Promise<unknown> = Promise.resolve()

  constructor(operators: readonly AnyOperator[], parts: WebhooksParts) {
    this.#operators = operators
    this.#parts = parts
    const apis = servedApis(operators)
    const { host, client, log, signal } = parts
    const onClientCa = (): void => this.#useTls()
    this.#apis = apis[0]?.serve(apis, { host, client, log, signal, onClientCa })
  }

  /** The URL of the server on this machine. */
  get url(): string | undefined {
    return this.#server?.url
  }

  /** Listens. API servers call it as soon as it is registered. */
  async listen(): Promise<void> {
    const { host, log, registry, options } = this.#parts
    const routes = webhookRoutes(this.#operators, { host, log })
    const metrics = new WebhookMetrics(host, registry)
    const certificate = this.#newCertificate()
    metrics.addCertificate(registry, () => certificate.expiresMs)
    await Promise.all([certificate.prepare(this.#parts.signal), this.#apis?.prepare()])
    const { identity } = certificate
    invariant(identity, 'a prepared certificate has an identity')
    const { hostname, port } = options
    const apis = this.#apis
    const clients = { clientCa: apis?.clientCa, requestClientCertificate: true }
    const tls = { ...identity, ...clients }
    const server = await listenForWebhooks({
      host,
      log,
      metrics,
      routes,
      apis,
      hostname,
      port,
      tls,
    })
    this.#server = server
    this.#certificate = certificate
    this.#address =
      options.service === undefined
        ? { url: (options.url ?? server.url).replace(/\/$/, '') }
        : { service: options.service }
    // The certificate of an API server must arrive in this process: no proxy of this machine.
    const isProxied =
      'url' in this.#address && isLoopbackUrl(this.#address.url) && hostname === undefined
    this.#registrations = new Registrations(this.#operators, {
      ...this.#parts,
      address: this.#address,
      apiAddress: isProxied ? { url: server.url } : this.#address,
    })
    log.info({ url: server.url, paths: [...routes.keys()] }, 'serving webhooks')
  }

  #newCertificate(): ServingCertificate {
    const { host, client, log, options } = this.#parts
    const { service, certificates, lifetimes } = options
    const callbacks = {
      use: (identity: ServingCertificate['identity'] & object) => this.#useTls(identity),
      register: async (caBundle: string) => this.#registrations?.register(caBundle),
    }
    if (certificates !== undefined) {
      return new FileCertificate({ host, log, directory: certificates, ...callbacks })
    }
    if (service === undefined) return new LocalCertificate(host, localHosts(options))
    const secret = { name: secretName(service.name), namespace: service.namespace }
    const { name, namespace } = service
    // API servers request the second one.
    const hosts = [name, `${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`]
    return new SecretCertificate({ host, client, log, secret, hosts, lifetimes, ...callbacks })
  }

  /** Uses another certificate, or another authority of the certificates of API servers. */
  #useTls(identity = this.#certificate?.identity): void {
    if (identity === undefined) return
    this.#server?.setTls({ ...identity, clientCa: this.#apis?.clientCa })
  }

  /** The address at which a definition is converted, for its CRD. */
  conversionOf(definition: AnyResourceDefinition): WebhookClientConfig | undefined {
    if (this.#address === undefined) return undefined
    return conversionWebhook(definition, this.#address, this.#certificate?.caBundle)
  }

  /** Registers the webhooks, and keeps their certificates until the process ends. */
  async register(): Promise<void> {
    const { signal, log } = this.#parts
    const caBundle = this.#certificate?.caBundle
    try {
      await this.#registrations?.register(caBundle)
    } catch (error) {
      // Such as the Operator Lifecycle Manager: it names the objects itself, so that no role of the
      // process can name them.
      if (caBundle !== undefined || !isApiError(error, 'API_FORBIDDEN')) throw error
      log.info('another program registers the webhooks: the process is not allowed to read them')
    }
    this.#keeping = Promise.all([this.#certificate?.run(signal), this.#apis?.run(signal)])
  }

  readiness(): ReadinessCheck[] {
    if (this.#certificate === undefined) return [{ name: 'webhooks', problem: 'not served yet' }]
    const problem = this.#apis?.problem
    return [
      this.#certificate.readiness(),
      ...(this.#apis === undefined ? [] : [{ name: 'aggregated APIs', problem }]),
      ...(this.#registrations?.readiness() ?? []),
    ]
  }

  /** Lets reviews in progress finish. */
  async close(graceMs: number): Promise<void> {
    const { client, options, install } = this.#parts
    const address = this.#address
    if (install && options.removeOnStop === true && address !== undefined && 'url' in address) {
      await removeRegistrations(client, address.url)
    }
    await this.#server?.close({ graceMs })
    await this.#keeping
  }
}

/** The names of a server that API servers reach by a URL. */
function localHosts({ url, hostname }: WebhooksOptions): readonly string[] {
  const own = [
    '127.0.0.1',
    'localhost',
    localServiceHost,
    ...(hostname === undefined ? [] : [hostname]),
  ]
  const named = url === undefined ? [] : [new URL(url).hostname.replaceAll(/[[\]]/g, '')]
  return [...new Set([...own, ...named])]
}

/** Whether operators have aggregated APIs. */
export function hasApis(operators: readonly AnyOperator[]): boolean {
  return operators.some(({ declaration: { api } }) => api !== undefined)
}

/** Whether operators have functions that answer API servers. */
export function hasServedFunctions(operators: readonly AnyOperator[]): boolean {
  return hasApis(operators) || operators.some(({ declaration }) => declaration.admission.length > 0)
}

/** Whether operators have functions that answer API servers, or definitions to convert. */
export function hasWebhooks(operators: readonly AnyOperator[]): boolean {
  return hasServedFunctions(operators) || convertedDefinitions(operators).length > 0
}

/** The error when operators have webhooks, and the process does not know how to serve them. */
export function webhooksNotServed(operators: readonly AnyOperator[]): SetpointError {
  const [first] = operators.filter((one) => hasServedFunctions([one]))
  const what = first?.declaration.api === undefined ? 'webhooks' : 'an aggregated API'
  return new SetpointError(
    'OPERATOR_INVALID',
    `${first?.declaration.options.name ?? 'an operator'} has ${what}, but the option webhooks is not set`,
    {
      hint: "start it with webhooks: { hostname: '0.0.0.0', port: 9443, service: { name, namespace } } in a pod, or with webhooks: {} for an API server on the same machine",
    },
  )
}
