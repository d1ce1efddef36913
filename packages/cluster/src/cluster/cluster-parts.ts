import type { CertificateAuthority } from 'setpoint/certificates'
import { type Host, limitMs } from 'setpoint/host'
import { clusterAdmission } from '../admission/index.ts'
import {
  AdmissionMetrics,
  Aggregation,
  Definitions,
  definitionsBucket,
  FlowSchemas,
  MetricSeries,
  Registry,
  ServerMetrics,
  ServiceAddresses,
  writeOwnStatus,
  type ApiServer,
  type Commit,
} from '../api/index.ts'
import {
  clusterAuthenticator,
  openAuthenticator,
  RbacAuthorizer,
  ServiceAccountTokens,
  tokenUser,
  type UserInfo,
} from '../auth/index.ts'
import { FaultInjection } from '../faults/index.ts'
import type { DataDirectory } from '../journal/index.ts'
import {
  type OpenProcesses,
  PodBehaviours,
  simulatedPodServer,
  simulatedRuntime,
} from '../nodes/index.ts'
import { frontProxyName, OutboundCalls, ServiceProxy, ServiceRoutes } from '../outbound/index.ts'
import { Store } from '../store/index.ts'
import { ApiServiceController, publishAuthentication } from './api-services/index.ts'
import { createBootObjects } from './boot-objects.ts'
import type { Authorities } from './authorities.ts'
import type { ClusterOptions } from './cluster-options.ts'
import { DefinitionCleanup } from './definition-cleanup.ts'
import { flowSchemaController } from './flow-schema-controller.ts'
import type { SettledOperators } from './components/index.ts'
import { paramKinds } from './policies/param-kinds.ts'

/** The parts of a cluster that share its store. */
export type ClusterParts = ReturnType<typeof clusterParts>

const issuerDefault = 'https://kubernetes.default.svc'

/** The options with what was opened for them. */
interface StartOptions extends ClusterOptions {
  readonly processes: OpenProcesses | undefined
  readonly recovered: DataDirectory['recovered']
}

/** Makes the parts of a cluster, and fills an empty store with the objects of a fresh cluster. */
export function clusterParts(host: Host, options: StartOptions, authorities: Authorities) {
  const { authority, frontProxy } = authorities
  const { processes } = options
  const { store, tokenKey, isFresh, settled } = initialState(host, options, authorities.isKept)
  const registry = new Registry()
  const issuer = options.issuer ?? issuerDefault
  const accountTokens = new ServiceAccountTokens(host, issuer, tokenKey)
  const users = namedUsers(host, options)
  const tokens = new Map(users.map(({ token, info }) => [token, info]))
  const authorizer = new RbacAuthorizer(store)
  const metadataOf = metadataReader(store)
  const credentials = { tokens, accountTokens, metadataOf, now: () => host.now() }
  const behaviours = new PodBehaviours()
  const { routes, calls, proxy } = outboundParts({ host, store, processes, behaviours, frontProxy })
  const definitions = new Definitions({
    store,
    registry,
    now: () => host.now(),
    conversionCalls: { calls, host },
    offered: () => apiServices.definitionsChanged(),
  })
  const cleanup = new DefinitionCleanup({ host, store, registry, definitions })
  const hasNodes = options.workloads !== 'off' && options.nodes !== 'off'
  const series = new MetricSeries()
  const metrics = new ServerMetrics(host, series)
  const server: ApiServer = {
    host,
    pods: processes?.runtime ?? (hasNodes ? simulatedRuntime(host, behaviours) : undefined),
    hasLoopbackPods: processes !== undefined,
    store,
    registry,
    aggregation: new Aggregation({ host, store, registry, proxy }),
    admission: clusterAdmission({
      store,
      host,
      authorizer,
      writeStatus: (quota) => writeOwnStatus(server, '/resourcequotas', quota),
      calls,
      findParamKind: paramKinds(store, registry),
      meter: new AdmissionMetrics(host, series),
    }),
    authorizer,
    accountTokens,
    issuer,
    userOfToken: (token) => tokenUser(token, credentials),
    faults: new FaultInjection({ host, store }),
    services: new ServiceAddresses(store, host, options.serviceRange ?? processes?.serviceRange),
    series,
    metrics,
    flows: new FlowSchemas({ host, store, metrics }),
    committed: (commit: Commit) => {
      server.flows.changed(commit.resource.bucket)
      if (commit.resource.bucket !== definitionsBucket) cleanup.objectChanged(commit)
      else if (commit.isDeleted) definitions.removed(commit.stored.key)
      else cleanup.definitionChanged(commit.stored)
      apiServices.committed(commit)
      updateFlowSchemas(commit)
    },
  }
  const apiServices = new ApiServiceController(server)
  const updateFlowSchemas = flowSchemaController(server)
  const isServerAlone = options.workloads === 'off'
  if (isFresh) createBootObjects({ host, store, caCert: authority.cert, isServerAlone })
  publishAuthentication({ host, store, clientCa: authority.cert, frontProxyCa: frontProxy.cert })
  definitions.loadAll()
  apiServices.begin()
  const authenticator =
    options.auth === 'off' ? openAuthenticator() : clusterAuthenticator(credentials)
  return { server, store, settled, users, authenticator, behaviours, routes, apiServices }
}

interface OutboundOptions {
  readonly host: Host
  readonly store: Store
  readonly processes: OpenProcesses | undefined
  readonly behaviours: PodBehaviours
  readonly frontProxy: CertificateAuthority
}

/** The requests of the API server to other servers. */
function outboundParts({ host, store, processes, behaviours, frontProxy }: OutboundOptions) {
  const podServer = processes === undefined ? simulatedPodServer(behaviours) : undefined
  const routes = new ServiceRoutes({ store, podServer })
  const credential = () => frontProxy.issue(frontProxyName, { use: 'client', groups: [] })
  return {
    routes,
    calls: new OutboundCalls({ host, routes }),
    proxy: new ServiceProxy({ host, routes, credential }),
  }
}

const everyOperator: SettledOperators = { has: () => true }

interface InitialState {
  readonly store: Store
  readonly tokenKey: string | undefined
  readonly isFresh: boolean
  readonly settled: SettledOperators
}

/** The store of the data directory, of a snapshot, or an empty one. */
function initialState(
  host: Host,
  { history, recovered, ...given }: Pick<StartOptions, 'history' | 'recovered' | 'snapshot'>,
  hasItsAuthority: boolean,
): InitialState {
  const maxAge = history?.maxAge
  const historyAgeMs = maxAge === undefined ? undefined : limitMs(maxAge, 'history.maxAge')
  const limits = { historyEventsMax: history?.eventsMax, historyAgeMs }
  const snapshot = recovered?.snapshot ?? given.snapshot
  const store = new Store({ now: () => host.now(), ...limits }, snapshot)
  store.replay(recovered?.entries ?? [])
  const tokenKey = recovered?.identity.tokenKey ?? given.snapshot?.tokenKey
  // What was recovered may be a state in the middle of the work of a controller. The certificate of
  // a new authority has to be published.
  const isKnown = recovered === undefined && hasItsAuthority
  const settled = new Set(isKnown ? given.snapshot?.settled : [])
  // The controllers of a real cluster made the objects of a fresh one.
  if (snapshot === undefined) return { store, tokenKey, isFresh: true, settled: everyOperator }
  return { store, tokenKey, isFresh: false, settled }
}

interface StoredMetadata {
  readonly uid: string
  readonly deletionTimestamp?: string
}

/** Reads the metadata of stored core objects, to which tokens are bound. */
function metadataReader(store: Store): (plural: string, key: string) => StoredMetadata | undefined {
  return (plural, key) => {
    const stored = store.get(`/${plural}`, key)
    if (stored === undefined) return undefined
    return (JSON.parse(`{${stored.text}`) as { metadata: StoredMetadata }).metadata
  }
}

function namedUsers(
  host: Host,
  { users = [] }: ClusterOptions,
): { name: string; token: string; info: UserInfo }[] {
  return users.map(({ name, uid = `${name}-uid`, groups = [], token }) => ({
    name,
    token: token ?? Buffer.from(host.randomBytes(24)).toString('base64url'),
    info: { name, uid, groups },
  }))
}
