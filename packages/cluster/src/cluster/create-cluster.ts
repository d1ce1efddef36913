import type { AnyOperator } from 'setpoint'
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
  Registry,
  ServiceAddresses,
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
import { ApiServiceUpkeep } from './api-service-upkeep.ts'
import { createBootObjects } from './boot-objects.ts'
import { Controllers } from './controllers.ts'
import { DefinitionCleanup } from './definition-cleanup.ts'
import { kindsInUse } from './kinds-in-use.ts'
import { flowSchemaUpkeep } from './flow-schema-upkeep.ts'
import { kubeconfigText, type KubeconfigUser } from './kubeconfig.ts'
import { settleIn } from './inhabitants.ts'
import { isVirtual } from './is-virtual.ts'
import { settle } from './settle.ts'
import { Store, type StoreSnapshot } from '../store/index.ts'
import { Trace, type TraceEntry } from './trace.ts'
import {
  isProcessNodes,
  openProcesses,
  PodBehaviours,
  simulatedRuntime,
  type NodesOption,
  type OpenProcesses,
  type ProcessApi,
  type ProcessNodes,
  virtualSockets,
} from '../nodes/index.ts'
import type { AccountTokenRequest } from '../workloads/index.ts'

/** A further user, known by a token. */
export interface ClusterUser {
  readonly name: string
  readonly uid?: string
  readonly groups?: readonly string[]
  /** Made up when it is not given; `kubeconfig()` has it. */
  readonly token?: string
}

/** How to start a cluster; everything has a default. */
export interface ClusterOptions {
  /** The world it lives in: real by default, virtual in tests and simulation. */
  readonly host?: Host
  /** 127.0.0.1 by default: being reachable from outside is a decision. */
  readonly hostname?: string
  /** A free one by default. */
  readonly port?: number
  /** `rbac` is what a cluster has; `off` makes everybody an administrator, for tests. */
  readonly auth?: 'rbac' | 'off'
  /** HTTPS by default; `off` serves plain HTTP, where no client certificates exist. */
  readonly tls?: 'on' | 'off'
  readonly users?: readonly ClusterUser[]
  /** Operators that run in it, with all rights: yours, beside those that every cluster has. */
  readonly operators?: readonly AnyOperator[]
  /**
   * The nodes: three of them unless said otherwise, on which pods are played as `pods` says. `off` is a cluster without:
   * pods are made and stay pending, unless a test moves them. With `process` pods are real processes of this machine.
   */
  readonly nodes?: 'off' | NodesOption | ProcessNodes
  /**
   * `off` is the API server alone: no controllers, no accounts and certificates in namespaces, and aggregated roles
   * without rules, as on a real server that no controllers serve.
   */
  readonly workloads?: 'off'
  /** A /16 network. */
  readonly serviceRange?: string
  readonly issuer?: string
  /** How much history watches can go back to. */
  readonly history?: { readonly eventsMax?: number; readonly maxAge?: Duration }
  /** A state to start from instead of a fresh one. */
  readonly snapshot?: StoreSnapshot
}

/** A running cluster. */
export interface Cluster extends AsyncDisposable {
  /** Where the API is, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** The certificate clients must trust; `undefined` without TLS. */
  readonly caCert: string | undefined
  /** A kubeconfig as text: an administrator's context first, then one per further user. */
  kubeconfig(): string
  /** The API as an administrator sees it: for tests that create objects and look at what becomes of them. */
  readonly client: Client
  /** Forgets the history of all writes, so that older watches and pages answer 410. */
  compact(): void
  /**
   * Resolves when nothing will change any more without time passing or something happening outside. Throws
   * `CLUSTER_UNSETTLED` when it does not come to rest within `timeout`, `30s` unless given.
   */
  settle(options?: { readonly timeout?: Duration }): Promise<void>
  /** What pods do: `cluster.pods.behave('web:broken', { exits: { code: 1 } })`. */
  readonly pods: PodBehaviours
  /** The latest requests, oldest first. */
  readonly trace: readonly TraceEntry[]
  /** The whole state, to be given to another cluster. */
  snapshot(): StoreSnapshot
  dispose(): Promise<void>
}

const issuerDefault = 'https://kubernetes.default.svc'

/** Starts a cluster: a Kubernetes API in this process. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const host = options.host ?? nodeHost()
  const hasTls = options.tls !== 'off'
  const authority = new CertificateAuthority(host, 'setpoint-cluster')
  const wantsProcesses = options.workloads !== 'off' && isProcessNodes(options.nodes)
  const sockets = isVirtual(host) ? virtualSockets(host) : nodeSockets
  const processes = wantsProcesses ? await openProcesses(host, options.nodes, sockets) : undefined
  const parts = clusterParts(host, { ...options, processes }, authority)
  const trace = new Trace(host)
  const door = {
    server: parts.server,
    authenticator: parts.authenticator,
    log: host,
    trace: (request: TracedRequest) => trace.add(request),
  }
  const server = await host.listen({
    ...(options.hostname === undefined ? {} : { hostname: options.hostname }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(hasTls ? { tls: serverTls(authority, options) } : {}),
    handle: apiHandler(door),
  })
  const controllers = new Controllers({ host, handle: apiHandler({ ...door, isLocal: true }) })
  const { accountTokens } = parts.server
  await settleIn({
    ...{ host, controllers, behaviours: parts.behaviours },
    ...{ workloads: options.workloads, nodes: options.nodes, operators: options.operators ?? [] },
    caCert: authority.cert,
    accountToken: (request) => lastingToken(accountTokens, request),
    sign: (order) => authority.sign(order),
    used: kindsInUse(parts.store, parts.server.registry),
    processes: processes && { ...processes, api: processApi(server.url, accountTokens) },
  })
  return runningCluster({ host, server, parts, trace, authority, hasTls, controllers, processes })
}

/** A token as secrets hold it: it ends with its account. */
function lastingToken(
  tokens: ServiceAccountTokens,
  { secret, ...account }: AccountTokenRequest,
): string {
  const lifetimeSeconds = 100 * 365 * 24 * 3600
  return tokens.issue({ ...account, bound: { secret } }, { audiences: [], lifetimeSeconds }).token
}

/** What processes are told: their tokens last as long as servers let those of pods last. */
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

function clusterParts(
  host: Host,
  options: ClusterOptions & { readonly processes: OpenProcesses | undefined },
  authority: CertificateAuthority,
) {
  const { history, snapshot, processes } = options
  const maxAge = history?.maxAge
  const historyAgeMs = maxAge === undefined ? undefined : limitMs(maxAge, 'history.maxAge')
  const store = new Store(
    { now: () => host.now(), historyEventsMax: history?.eventsMax, historyAgeMs },
    snapshot,
  )
  const registry = new Registry()
  const issuer = options.issuer ?? issuerDefault
  const accountTokens = new ServiceAccountTokens(host, issuer)
  const users = namedUsers(host, options)
  const tokens = new Map(users.map(({ token, info }) => [token, info]))
  const accountOf = (namespace: string, name: string): { uid: string } | undefined => {
    const stored = store.get('/serviceaccounts', `${namespace}/${name}`)
    if (stored === undefined) return undefined
    return (JSON.parse(`{${stored.text}`) as { metadata: { uid: string } }).metadata
  }
  const authorizer = new RbacAuthorizer(store)
  const believed = { tokens, accountTokens, accountOf }
  const definitions = new Definitions({
    store,
    registry,
    now: () => host.now(),
    offered: () => apiServices.definitionsChanged(),
  })
  const cleanup = new DefinitionCleanup({ host, store, registry, definitions })
  const behaviours = new PodBehaviours()
  const hasNodes = options.workloads !== 'off' && options.nodes !== 'off'
  const server: ApiServer = {
    host,
    pods: processes?.runtime ?? (hasNodes ? simulatedRuntime(host, behaviours) : undefined),
    hasLoopbackPods: processes !== undefined,
    store,
    registry,
    admission: clusterAdmission({
      store,
      host,
      authorizer,
      writeStatus: (quota) => writeOwnStatus(server, '/resourcequotas', quota),
    }),
    authorizer,
    accountTokens,
    issuer,
    userOfToken: (token) => tokenUser(token, believed),
    services: new ServiceAddresses(store, host, options.serviceRange ?? processes?.serviceRange),
    committed: (commit: Commit) => {
      if (commit.resource.bucket !== definitionsBucket) cleanup.objectChanged(commit)
      else if (commit.isGone) definitions.removed(commit.stored.key)
      else cleanup.definitionChanged(commit.stored)
      apiServices.committed(commit)
      judgeFlowSchemas(commit)
    },
  }
  const apiServices = new ApiServiceUpkeep(server)
  const judgeFlowSchemas = flowSchemaUpkeep(server)
  if (snapshot === undefined) {
    const isServerAlone = options.workloads === 'off'
    createBootObjects({ host, store, caCert: authority.cert, isServerAlone })
  }
  definitions.loadAll()
  const authenticator =
    options.auth === 'off' ? openAuthenticator() : clusterAuthenticator(believed)
  return { server, store, users, authenticator, behaviours }
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
  readonly controllers: Controllers
  readonly processes: OpenProcesses | undefined
}

function runningCluster(running: Running): Cluster {
  const { host, server, parts, trace, authority, hasTls, controllers } = running
  const caCert = hasTls ? authority.cert : undefined
  let admin: (KubeconfigUser & { readonly cert: string; readonly key: string }) | undefined
  // Issued when somebody asks: making a key takes longer than most tests.
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
    settle: async ({ timeout = settleLimitMs } = {}) =>
      settle(
        {
          host,
          traffic: () => controllers.traffic,
          processes: () => controllers.processes,
          startingCount: () => controllers.startingCount,
          revision: () => parts.store.revision,
          trace: trace.entries,
        },
        durationMs(timeout, 'timeout'),
      ),
    pods: parts.behaviours,
    trace: trace.entries,
    snapshot: () => parts.store.snapshot(),
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}
