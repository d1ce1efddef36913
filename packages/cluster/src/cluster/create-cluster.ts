import type { RunningOperators } from 'setpoint'
import type { CertificateAndKey, CertificateAuthority } from 'setpoint/certificates'
import { Client, fixedCredentials } from 'setpoint/client'
import {
  nodeHost,
  nodeSockets,
  type Host,
  type HttpServer,
  type Duration,
  durationMs,
} from 'setpoint/host'
import { apiHandler, unknownMethodResponse, type TracedRequest } from '../api/index.ts'
import { signRequest } from '../auth/index.ts'
import { type Authorities, identityOf, openAuthorities } from './authorities.ts'
import { remoteKinds } from './api-services/index.ts'
import { clusterParts, type ClusterParts } from './cluster-parts.ts'
import {
  InProcessOperators,
  KindUse,
  type LazyOperators,
  settledOperators,
  startComponents,
} from './components/index.ts'
import { processApi, unexpiringToken } from './component-tokens.ts'
import { openAudit, type OpenAudit } from '../audit/index.ts'
import { kindSchemas } from './policies/kind-schemas.ts'
import { kubeconfigText, type KubeconfigUser } from './kubeconfig.ts'
import type { ClusterOptions, ClusterSnapshot } from './cluster-options.ts'
import { journalsOf, openData } from './open-data.ts'
import { isVirtual } from './is-virtual.ts'
import { settle } from './settle.ts'
import type { DataDirectory } from '../journal/index.ts'
import { type ApiReplica, Faults } from '../faults/index.ts'
import { type ListeningOptions, replicaStarter } from './api-replica.ts'
import { Trace, type TraceEntry } from './trace.ts'
import {
  isProcessNodes,
  openProcesses,
  type PodBehaviours,
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
  const saved = data === undefined ? options.snapshot?.identity : data.recovered?.identity
  const authorities = openAuthorities(host, saved)
  const { authority, frontProxy } = authorities
  const wantsProcesses = options.workloads !== 'off' && isProcessNodes(options.nodes)
  const sockets = isVirtual(host) ? virtualSockets(host) : nodeSockets
  const processes = wantsProcesses ? await openProcesses(host, options.nodes, sockets) : undefined
  const opened = { ...options, processes, recovered: data?.recovered }
  const parts = clusterParts(host, opened, authorities)
  const tokenKey = parts.server.accountTokens.secretKey()
  const kept = { authority: authority.credential(), frontProxy: frontProxy.credential() }
  await data?.begin(parts.store, { tokenKey, ...kept })
  if (options.onChange !== undefined) parts.store.observe(options.onChange)
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
      ...(hasTls ? { tls: serverTls(host, authority, options) } : {}),
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
  const { accountTokens, registry } = parts.server
  const { store, settled } = parts
  const builtin = await startComponents({
    host,
    controllers,
    behaviours: parts.behaviours,
    workloads: options.workloads,
    nodes: options.nodes,
    leaveOut: options.leaveOut,
    operators: options.operators ?? [],
    caCert: authority.cert,
    accountToken: (request) => unexpiringToken(accountTokens, request),
    sign: (order) => signRequest(authority, order),
    settled,
    used: new KindUse({ store, registry, settled }),
    schemas: kindSchemas(registry),
    remoteKinds: () => remoteKinds(parts.server.aggregation),
    processes: processes && { ...processes, api: processApi(server.url, accountTokens) },
  })
  const open = { processes, data, audit, listening, builtin, authorities }
  return runningCluster({ host, server, parts, trace, hasTls, controllers, ...open })
}

const settleLimitMs = 30_000

/** A client on a virtual host does not check the certificate of a server. */
function serverTls(
  host: Host,
  authority: CertificateAuthority,
  { hostname }: ClusterOptions,
): { cert: string; key: string; clientCa: string } {
  if (isVirtual(host)) return { cert: authority.cert, key: '', clientCa: authority.cert }
  const hosts = new Set(['127.0.0.1', 'localhost', '::1', 'kubernetes.default.svc', '10.96.0.1'])
  if (hostname !== undefined) hosts.add(hostname)
  const credential = authority.issue('kube-apiserver', { use: 'server', hosts: [...hosts] })
  return { ...credential, clientCa: authority.cert }
}

/** The availability of an aggregated API may change with the server behind its Service. */
function forwardService(
  { routes, apiServices }: ClusterParts,
  service: string,
  url: string,
): Disposable {
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
  readonly parts: ClusterParts
  readonly trace: Trace
  readonly authorities: Authorities
  readonly hasTls: boolean
  readonly host: Host
  readonly controllers: InProcessOperators
  /** The controllers and the components of nodes, unless they are turned off. */
  readonly builtin: LazyOperators | undefined
  readonly processes: OpenProcesses | undefined
  readonly data: DataDirectory | undefined
  readonly audit: OpenAudit | undefined
}

function runningCluster(running: Running): Cluster {
  const { host, server, parts, trace, authorities, hasTls, controllers } = running
  const { authority } = authorities
  const caCert = hasTls ? authority.cert : undefined
  // Issued on the first call: creating a key takes longer than most tests.
  const administrator = (): KubeconfigUser & CertificateAndKey => ({
    name: 'admin',
    ...(authorities.admin ??= authority.issue('admin', {
      use: 'client',
      groups: ['system:masters'],
    })),
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
          startingCount: () => controllers.startingCount + (running.builtin?.startingCount ?? 0),
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
      identity: identityOf(authorities),
      ...settledOperators(running),
    }),
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}
