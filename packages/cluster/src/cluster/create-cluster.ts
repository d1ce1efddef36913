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
import { ApiServiceController } from './api-service-controller.ts'
import { createBootObjects } from './boot-objects.ts'
import { InProcessOperators } from './in-process-operators.ts'
import { DefinitionCleanup } from './definition-cleanup.ts'
import { kindsInUse } from './kinds-in-use.ts'
import { flowSchemaController } from './flow-schema-controller.ts'
import { kubeconfigText, type KubeconfigUser } from './kubeconfig.ts'
import { startComponents } from './start-components.ts'
import type { ClusterOptions, ClusterSnapshot } from './cluster-options.ts'
import { openData } from './open-data.ts'
import { paramKinds } from './param-kinds.ts'
import { isVirtual } from './is-virtual.ts'
import { settle } from './settle.ts'
import type { DataDirectory } from '../journal/index.ts'
import { OutboundCalls, ServiceRoutes } from '../outbound/index.ts'
import { Store } from '../store/index.ts'
import { Trace, type TraceEntry } from './trace.ts'
import {
  isProcessNodes,
  openProcesses,
  PodBehaviours,
  simulatedPodServer,
  simulatedRuntime,
  type OpenProcesses,
  type ProcessApi,
  virtualSockets,
} from '../nodes/index.ts'
import type { AccountTokenRequest } from '../controllers/index.ts'

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
   * pods: to a webhook that runs in this process or on this machine. Disposing the returned value
   * ends it.
   */
  forwardService(service: string, url: string): Disposable
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
  try {
    return await startCluster(host, options, data)
  } catch (error) {
    await data?.close()
    throw error
  }
}

async function startCluster(
  host: Host,
  options: ClusterOptions,
  data: DataDirectory | undefined,
): Promise<Cluster> {
  const hasTls = options.tls !== 'off'
  const saved = data?.recovered?.identity
  const authority = new CertificateAuthority(host, 'setpoint-cluster', saved?.authority)
  const wantsProcesses = options.workloads !== 'off' && isProcessNodes(options.nodes)
  const sockets = isVirtual(host) ? virtualSockets(host) : nodeSockets
  const processes = wantsProcesses ? await openProcesses(host, options.nodes, sockets) : undefined
  const parts = clusterParts(host, { ...options, processes, recovered: data?.recovered }, authority)
  const tokenKey = parts.server.accountTokens.secretKey()
  await data?.begin(parts.store, { tokenKey, authority: authority.credential() })
  const trace = new Trace(host)
  const handlerOptions = {
    server: parts.server,
    authenticator: parts.authenticator,
    log: host,
    trace: (request: TracedRequest) => trace.add(request),
  }
  const server = await host.listen({
    unknownMethod: unknownMethodResponse,
    ...(options.hostname === undefined ? {} : { hostname: options.hostname }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(hasTls ? { tls: serverTls(authority, options) } : {}),
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
    processes: processes && { ...processes, api: processApi(server.url, accountTokens) },
  })
  const running = { host, server, parts, trace, authority, hasTls, controllers, processes, data }
  return runningCluster(running)
}

/** A service account token for a Secret, which does not expire in practice. */
function unexpiringToken(
  tokens: ServiceAccountTokens,
  { secret, ...account }: AccountTokenRequest,
): string {
  const lifetimeSeconds = 100 * 365 * 24 * 3600
  return tokens.issue({ ...account, bound: { secret } }, { audiences: [], lifetimeSeconds }).token
}

/** The API access of processes. Their tokens have the maximum lifetime of pod tokens. */
function processApi(url: string, tokens: ServiceAccountTokens): ProcessApi {
  const lifetimeSeconds = 365 * 24 * 3600
  return {
    url,
    token: ({ namespace, account, pod, audience }) => {
      const audiences = audience === undefined ? [] : [audience]
      const subject = { namespace, ...account, bound: { pod } }
      return tokens.issue(subject, { audiences, lifetimeSeconds }).token
    },
  }
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

function clusterParts(host: Host, options: StartOptions, authority: CertificateAuthority) {
  const { processes, issuer = issuerDefault } = options
  const { store, tokenKey, isFresh } = initialState(host, options)
  const registry = new Registry()
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
  const definitions = new Definitions({
    store,
    registry,
    now: () => host.now(),
    offered: () => apiServices.definitionsChanged(),
  })
  const cleanup = new DefinitionCleanup({ host, store, registry, definitions })
  const behaviours = new PodBehaviours()
  const podServer = processes === undefined ? simulatedPodServer(behaviours) : undefined
  const routes = new ServiceRoutes({ store, podServer })
  const calls = new OutboundCalls({ host, routes })
  const series = new MetricSeries()
  const metrics = new ServerMetrics(host, series)
  const server: ApiServer = {
    host,
    pods:
      processes?.runtime ?? (hasNodes(options) ? simulatedRuntime(host, behaviours) : undefined),
    hasLoopbackPods: processes !== undefined,
    store,
    registry,
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
  definitions.loadAll()
  const authenticator =
    options.auth === 'off' ? openAuthenticator() : clusterAuthenticator(credentials)
  return { server, store, users, authenticator, behaviours, routes }
}

function hasNodes({ workloads, nodes }: ClusterOptions): boolean {
  return workloads !== 'off' && nodes !== 'off'
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

interface Running {
  readonly server: HttpServer
  readonly parts: Parts
  readonly trace: Trace
  readonly authority: CertificateAuthority
  readonly hasTls: boolean
  readonly host: Host
  readonly controllers: InProcessOperators
  readonly processes: OpenProcesses | undefined
  readonly data: DataDirectory | undefined
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
  let client: Client | undefined
  const dispose = async (): Promise<void> => {
    await controllers.stop()
    await running.processes?.close()
    await server.close({ graceMs: 0 })
    await running.data?.close()
  }
  return {
    url: server.url,
    port: server.port,
    caCert,
    kubeconfig() {
      const others = parts.users.map(({ name, token }) => ({ name, token }))
      return kubeconfigText({ server: server.url, caCert, users: [administrator(), ...others] })
    },
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
          traffic: () => controllers.traffic,
          processes: () => [...controllers.processes, ...operators],
          startingCount: () => controllers.startingCount,
          revision: () => parts.store.revision,
          trace: trace.entries,
        },
        durationMs(timeout, 'timeout'),
      ),
    pods: parts.behaviours,
    forwardService: (service, url) => parts.routes.forward(service, url),
    trace: trace.entries,
    snapshot: () => ({
      ...parts.store.snapshot(),
      tokenKey: parts.server.accountTokens.secretKey(),
    }),
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}
