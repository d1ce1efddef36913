import type { RunningOperators } from 'setpoint'
import { Client, fixedCredentials } from 'setpoint/client'
import {
  nodeHost,
  nodeSockets,
  type Host,
  type HttpServer,
  type Duration,
  durationMs,
  limitMs,
} from 'setpoint/host'
import { clusterAdmission } from '../admission/index.ts'
import {
  Aggregation,
  apiHandler,
  Definitions,
  definitionsBucket,
  FlowSchemas,
  MetricSeries,
  Registry,
  ServerMetrics,
  ServiceAddresses,
  unknownMethodResponse,
  writeOwnStatus,
  type ApiServer,
  type Commit,
  type TracedRequest,
} from '../api/index.ts'
import {
  CertificateAuthority,
  clusterAuthenticator,
  openAuthenticator,
  RbacAuthorizer,
  ServiceAccountTokens,
  tokenUser,
  type UserInfo,
} from '../auth/index.ts'
import { ApiServiceController, publishAuthentication, remoteKinds } from './api-services/index.ts'
import { createBootObjects } from './boot-objects.ts'
import { processApi, unexpiringToken } from './component-tokens.ts'
import { InProcessOperators } from './in-process-operators.ts'
import { DefinitionCleanup } from './definition-cleanup.ts'
import { openAudit, type OpenAudit } from '../audit/index.ts'
import { kindSchemas } from './policies/kind-schemas.ts'
import { kindsInUse } from './kinds-in-use.ts'
import { flowSchemaController } from './flow-schema-controller.ts'
import { kubeconfigText, type KubeconfigUser } from './kubeconfig.ts'
import { startComponents } from './start-components.ts'
import type { ClusterOptions, ClusterSnapshot } from './cluster-options.ts'
import { journalsOf, openData } from './open-data.ts'
import { paramKinds } from './policies/param-kinds.ts'
import { isVirtual } from './is-virtual.ts'
import { settle } from './settle.ts'
import type { DataDirectory } from '../journal/index.ts'
import { type ApiReplica, FaultInjection, Faults } from '../faults/index.ts'
import { type ListeningOptions, replicaStarter } from './api-replica.ts'
import { frontProxyName, OutboundCalls, ServiceProxy, ServiceRoutes } from '../outbound/index.ts'
import { Store } from '../store/index.ts'
import { Trace, type TraceEntry } from './trace.ts'
import {
  isProcessNodes,
  openProcesses,
  PodBehaviours,
  simulatedPodServer,
  simulatedRuntime,
  type OpenProcesses,
  virtualSockets,
} from '../nodes/index.ts'

/** A running embedded cluster. Dispose it to stop its servers and processes. */
export interface Cluster extends AsyncDisposable {
  /** The URL of the API, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** The CA certificate that clients must trust; `undefined` without TLS. */
  readonly caCert: string | undefined
  /**
   * A kubeconfig as text: the context of an administrator first, then one for each additional user.
   */
  kubeconfig(): string
  /** A client with administrator rights, for tests that create and read objects. */
  readonly client: Client
  /** Drops the history of all writes, so that older watches and pages get 410. */
  compact(): void
  /**
   * Resolves when no component has work left, except work that waits for a timer or an external
   * event. Throws `CLUSTER_UNSETTLED` if the cluster does not settle within `timeout`, `30s` by
   * default. Also waits for `operators` that run outside of the cluster.
   */
  settle(options?: {
    readonly timeout?: Duration
    readonly operators?: readonly RunningOperators[]
  }): Promise<void>
  /**
   * The behaviour of simulated pods: `cluster.pods.behave('web:broken', { exits: { code: 1 } })`.
   */
  readonly pods: PodBehaviours
  /**
   * Sends the requests of the API server to a Service (`namespace/name`) to this URL instead of its
   * pods: to a webhook or an aggregated API that runs in this process or on this machine. Disposing
   * the returned value ends it.
   */
  forwardService(service: string, url: string): Disposable
  /**
   * Faults on request: `cluster.faults.answer({ kind: ConfigMap, verb: 'update' }, 409)`. They are
   * about the clients of this API server and the operators in the cluster.
   */
  readonly faults: Faults
  /** The latest requests, oldest first. */
  readonly trace: readonly TraceEntry[]
  /** The whole state, as an option for another cluster. */
  snapshot(): ClusterSnapshot
  dispose(): Promise<void>
}

const issuerDefault = 'https://kubernetes.default.svc'

/** Starts a cluster: a Kubernetes API in this process. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const host = options.host ?? nodeHost()
  const data = await openData(host, options.data)
  let audit: OpenAudit | undefined
  try {
    const files = { host, journals: journalsOf(host) }
    audit = options.audit && (await openAudit(options.audit, files))
    return await startCluster(host, options, { data, audit })
  } catch (error) {
    audit?.close()
    await data?.close()
    throw error
  }
}

async function startCluster(
  host: Host,
  options: ClusterOptions,
  {
    data,
    audit,
  }: { readonly data: DataDirectory | undefined; readonly audit?: OpenAudit | undefined },
): Promise<Cluster> {
  const hasTls = options.tls !== 'off'
  const saved = data?.recovered?.identity
  const authorities = {
    authority: new CertificateAuthority(host, 'setpoint-cluster', saved?.authority),
    frontProxy: new CertificateAuthority(host, 'front-proxy-ca', saved?.frontProxy),
  }
  const { authority, frontProxy } = authorities
  const wantsProcesses = options.workloads !== 'off' && isProcessNodes(options.nodes)
  const sockets = isVirtual(host) ? virtualSockets(host) : nodeSockets
  const processes = wantsProcesses ? await openProcesses(host, options.nodes, sockets) : undefined
  const opened = { ...options, processes, recovered: data?.recovered }
  const parts = clusterParts(host, opened, authorities)
  const tokenKey = parts.server.accountTokens.secretKey()
  const kept = { authority: authority.credential(), frontProxy: frontProxy.credential() }
  await data?.begin(parts.store, { tokenKey, ...kept })
  const trace = new Trace(host)
  const handlerOptions = {
    server: parts.server,
    authenticator: parts.authenticator,
    log: host,
    trace: (request: TracedRequest) => trace.add(request),
    audit: audit?.log,
  }
  const listening = {
    handlerOptions,
    listenOptions: {
      unknownMethod: unknownMethodResponse,
      ...(options.hostname === undefined ? {} : { hostname: options.hostname }),
      ...(hasTls ? { tls: serverTls(authority, options) } : {}),
    },
  }
  const server = await host.listen({
    ...listening.listenOptions,
    ...(options.port === undefined ? {} : { port: options.port }),
    handle: apiHandler(handlerOptions),
  })
  const controllers = new InProcessOperators({
    host,
    handle: apiHandler({ ...handlerOptions, isLocal: true }),
  })
  const { accountTokens } = parts.server
  await startComponents({
    host,
    controllers,
    behaviours: parts.behaviours,
    workloads: options.workloads,
    nodes: options.nodes,
    operators: options.operators ?? [],
    caCert: authority.cert,
    accountToken: (request) => unexpiringToken(accountTokens, request),
    sign: (order) => authority.sign(order),
    used: kindsInUse(parts.store, parts.server.registry),
    schemas: kindSchemas(parts.server.registry),
    remoteKinds: () => remoteKinds(parts.server.aggregation),
    processes: processes && { ...processes, api: processApi(server.url, accountTokens) },
  })
  const open = { processes, data, audit, listening }
  return runningCluster({ host, server, parts, trace, authority, hasTls, controllers, ...open })
}

const settleLimitMs = 30_000

function serverTls(
  authority: CertificateAuthority,
  { hostname }: ClusterOptions,
): { cert: string; key: string; clientCa: string } {
  const hosts = new Set(['127.0.0.1', 'localhost', '::1', 'kubernetes.default.svc', '10.96.0.1'])
  if (hostname !== undefined) hosts.add(hostname)
  const credential = authority.issue('kube-apiserver', { use: 'server', hosts: [...hosts] })
  return { ...credential, clientCa: authority.cert }
}

type Parts = ReturnType<typeof clusterParts>

/** The options with what was opened for them. */
interface StartOptions extends ClusterOptions {
  readonly processes: OpenProcesses | undefined
  readonly recovered: DataDirectory['recovered']
}

interface Authorities {
  /** Signs the certificates of the server and of its clients. */
  readonly authority: CertificateAuthority
  /** Signs the certificate that the server shows to the servers of aggregated APIs. */
  readonly frontProxy: CertificateAuthority
}

function clusterParts(host: Host, options: StartOptions, { authority, frontProxy }: Authorities) {
  const { processes } = options
  const { store, tokenKey, isFresh } = initialState(host, options)
  const registry = new Registry()
  const issuer = options.issuer ?? issuerDefault
  const accountTokens = new ServiceAccountTokens(host, issuer, tokenKey)
  const users = namedUsers(host, options)
  const tokens = new Map(users.map(({ token, info }) => [token, info]))
  const metadataOf = (plural: string, key: string): StoredMetadata | undefined => {
    const stored = store.get(`/${plural}`, key)
    if (stored === undefined) return undefined
    return (JSON.parse(`{${stored.text}`) as { metadata: StoredMetadata }).metadata
  }
  const authorizer = new RbacAuthorizer(store)
  const credentials = { tokens, accountTokens, metadataOf, now: () => host.now() }
  const behaviours = new PodBehaviours()
  const podServer = processes === undefined ? simulatedPodServer(behaviours) : undefined
  const routes = new ServiceRoutes({ store, podServer })
  const calls = new OutboundCalls({ host, routes })
  const definitions = new Definitions({
    store,
    registry,
    now: () => host.now(),
    conversionCalls: { calls, host },
    offered: () => apiServices.definitionsChanged(),
  })
  const cleanup = new DefinitionCleanup({ host, store, registry, definitions })
  const credential = () => frontProxy.issue(frontProxyName, { use: 'client', groups: [] })
  const proxy = new ServiceProxy({ host, routes, credential })
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
    }),
    authorizer,
    accountTokens,
    issuer,
    userOfToken: (token) => tokenUser(token, credentials),
    faults: new FaultInjection({ host, store }),
    services: new ServiceAddresses(store, host, options.serviceRange ?? processes?.serviceRange),
    series,
    metrics,
    flows: new FlowSchemas(store, metrics),
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
  if (isFresh) {
    const isServerAlone = options.workloads === 'off'
    createBootObjects({ host, store, caCert: authority.cert, isServerAlone })
  }
  publishAuthentication({ host, store, clientCa: authority.cert, frontProxyCa: frontProxy.cert })
  definitions.loadAll()
  apiServices.begin()
  const authenticator =
    options.auth === 'off' ? openAuthenticator() : clusterAuthenticator(credentials)
  return { server, store, users, authenticator, behaviours, routes, apiServices }
}

/** The store of the data directory, of a snapshot, or an empty one. */
function initialState(
  host: Host,
  { history, recovered, ...given }: Pick<StartOptions, 'history' | 'recovered' | 'snapshot'>,
): { readonly store: Store; readonly tokenKey: string | undefined; readonly isFresh: boolean } {
  const maxAge = history?.maxAge
  const historyAgeMs = maxAge === undefined ? undefined : limitMs(maxAge, 'history.maxAge')
  const limits = { historyEventsMax: history?.eventsMax, historyAgeMs }
  const snapshot = recovered?.snapshot ?? given.snapshot
  const store = new Store({ now: () => host.now(), ...limits }, snapshot)
  store.replay(recovered?.entries ?? [])
  const tokenKey = recovered?.identity.tokenKey ?? given.snapshot?.tokenKey
  return { store, tokenKey, isFresh: snapshot === undefined }
}

interface StoredMetadata {
  readonly uid: string
  readonly deletionTimestamp?: string
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

/** The availability of an aggregated API may change with the server behind its Service. */
function forwardService({ routes, apiServices }: Parts, service: string, url: string): Disposable {
  const forwarded = routes.forward(service, url)
  apiServices.serviceChanged(service)
  return {
    [Symbol.dispose]: () => {
      forwarded[Symbol.dispose]()
      apiServices.serviceChanged(service)
    },
  }
}

interface Running {
  readonly listening: ListeningOptions
  readonly server: HttpServer
  readonly parts: Parts
  readonly trace: Trace
  readonly authority: CertificateAuthority
  readonly hasTls: boolean
  readonly host: Host
  readonly controllers: InProcessOperators
  readonly processes: OpenProcesses | undefined
  readonly data: DataDirectory | undefined
  readonly audit: OpenAudit | undefined
}

function runningCluster(running: Running): Cluster {
  const { host, server, parts, trace, authority, hasTls, controllers } = running
  const caCert = hasTls ? authority.cert : undefined
  let admin: (KubeconfigUser & { readonly cert: string; readonly key: string }) | undefined
  // Issued on the first call: creating a key takes longer than most tests.
  const administrator = (): NonNullable<typeof admin> =>
    (admin ??= {
      name: 'admin',
      ...authority.issue('admin', { use: 'client', groups: ['system:masters'] }),
    })
  const kubeconfigFor = (url: string): string => {
    const others = parts.users.map(({ name, token }) => ({ name, token }))
    return kubeconfigText({ server: url, caCert, users: [administrator(), ...others] })
  }
  const replicas = new Set<ApiReplica>()
  const startReplica = replicaStarter({ ...running.listening, host, replicas, kubeconfigFor })
  let client: Client | undefined
  const dispose = async (): Promise<void> => {
    parts.apiServices.stop()
    await controllers.stop()
    await running.processes?.close()
    for (const replica of replicas) await replica.dispose()
    await server.close({ graceMs: 0 })
    await running.data?.close()
    running.audit?.close()
  }
  return {
    url: server.url,
    port: server.port,
    caCert,
    kubeconfig: () => kubeconfigFor(server.url),
    get client() {
      if (client !== undefined) return client
      const { cert, key } = administrator()
      const tls = caCert === undefined ? {} : { ca: caCert, cert, key }
      const credentials = fixedCredentials({ tls })
      const connection = { name: 'admin', namespace: 'default', server: server.url, credentials }
      return (client = new Client(host, connection))
    },
    compact: () => parts.store.compact(),
    settle: async ({ timeout = settleLimitMs, operators = [] } = {}) =>
      settle(
        {
          host,
          traffic: () => [...controllers.traffic, parts.apiServices.traffic],
          processes: () => [...controllers.processes, ...operators],
          startingCount: () => controllers.startingCount,
          revision: () => parts.store.revision,
          trace: trace.entries,
        },
        durationMs(timeout, 'timeout'),
      ),
    pods: parts.behaviours,
    forwardService: (service, url) => forwardService(parts, service, url),
    faults: new Faults(parts.server.faults, startReplica),
    trace: trace.entries,
    snapshot: () => ({
      ...parts.store.snapshot(),
      tokenKey: parts.server.accountTokens.secretKey(),
    }),
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}
