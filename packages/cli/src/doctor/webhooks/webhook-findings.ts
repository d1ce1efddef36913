import { admissionConfigurations, type AnyOperator, apiServiceObjects, type Kind } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import type { Clock, Network } from 'setpoint/host'
import {
  APIService,
  CustomResourceDefinition,
  EndpointSlice,
  type InferResource,
  MutatingWebhookConfiguration,
  Namespace,
  Secret,
  Service,
  ValidatingWebhookConfiguration,
} from 'setpoint/kinds'
import { crdName, definitionsOf } from '../../generate/index.ts'
import { type Finding, note } from '../finding.ts'
import { type CalledServer, calledServers, type OwnNames } from './called-servers.ts'
import { lockFindings } from './lock-findings.ts'
import { serverFindings } from './server-findings.ts'
import { storedVersionFindings } from './stored-version-findings.ts'
import { probeOwnUrls } from './url-probe.ts'

/**
 * Checks the servers that the API server calls, for the operators of the project, and webhooks of
 * all programs that could lock the cluster.
 */
export async function webhookFindings(
  client: Client,
  operators: readonly AnyOperator[],
  host: Clock & Network,
): Promise<Finding[]> {
  const own = ownNames(operators)
  const reads = new Reads(client)
  const [validating, mutating] = await Promise.all([
    reads.all(ValidatingWebhookConfiguration),
    reads.all(MutatingWebhookConfiguration),
  ])
  const configurations = [...validating, ...mutating]
  const definitions = await reads.all(CustomResourceDefinition)
  const apiServices = await reads.all(APIService)
  const servers = calledServers({ configurations, definitions, apiServices }, own)
  const namespaces = await reads.all(Namespace)
  const probes = await probeOwnUrls(host, servers)
  const state = { ...(await reads.servers(servers)), probes, nowMs: host.now() }
  return [
    ...reads.notes,
    ...(reads.notes.length === 0 ? serverFindings(servers, state) : []),
    ...lockFindings(configurations, { own, namespaces }),
    ...storedVersionFindings(definitions, own),
  ]
}

function ownNames(operators: readonly AnyOperator[]): OwnNames {
  // The names do not depend on the address.
  const address = { service: { name: 'any', namespace: 'any' } }
  const configurations = admissionConfigurations(operators, { address })
  return {
    webhooks: new Set(configurations.flatMap(({ webhooks }) => webhooks.map(({ name }) => name))),
    definitions: new Set(definitionsOf(operators).map(crdName)),
    apiServices: new Set(
      apiServiceObjects(operators, { address }).map(({ metadata }) => metadata.name),
    ),
  }
}

/** Reads objects; what the user cannot read becomes a note. */
class Reads {
  readonly notes: Finding[] = []
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async all<K extends Kind>(
    kind: K,
    selection: { namespace?: string; labelSelector?: string } = {},
  ): Promise<InferResource<K>[]> {
    try {
      return await this.#client.listAll(kind, selection)
    } catch (error) {
      if (!isApiError(error, 'API_FORBIDDEN')) throw error
      this.notes.push(
        note(
          'webhooks',
          `you cannot list ${kind.plural}, so the webhooks were not checked completely`,
          `run setpoint doctor as a user who can read ${kind.plural}`,
        ),
      )
      return []
    }
  }

  /** The Services of the servers, what is behind them, and the certificates of own ones. */
  async servers(servers: readonly CalledServer[]): Promise<{
    services: Service[]
    endpointSlices: EndpointSlice[]
    secrets: Secret[]
  }> {
    const places = servers.flatMap(({ service, isOwn }) =>
      service === undefined ? [] : [{ ...service, isOwn }],
    )
    const namespaces = [...new Set(places.map(({ namespace }) => namespace))]
    const services = await Promise.all(
      namespaces.map((namespace) => this.all(Service, { namespace })),
    )
    const slices = await Promise.all(
      namespaces.map((namespace) => this.all(EndpointSlice, { namespace })),
    )
    const ownPlaces = places.filter(({ isOwn }) => isOwn)
    const names = new Map(
      ownPlaces.map(({ namespace, name }) => [
        `${namespace}/${name}-tls`,
        { namespace, name: `${name}-tls` },
      ]),
    )
    const secrets = await Promise.all([...names.values()].map((ref) => this.#secret(ref)))
    return {
      services: services.flat(),
      endpointSlices: slices.flat(),
      secrets: secrets.flat(),
    }
  }

  async #secret(ref: { readonly namespace: string; readonly name: string }): Promise<Secret[]> {
    try {
      const secret = await this.#client.find(Secret, ref)
      return secret === undefined ? [] : [secret]
    } catch (error) {
      if (!isApiError(error, 'API_FORBIDDEN')) throw error
      // Few users can read Secrets; the caBundle is checked anyway.
      return []
    }
  }
}
