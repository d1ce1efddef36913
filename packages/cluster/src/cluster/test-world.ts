import {
  start,
  type AnyOperator,
  type PolicyRule,
  type RunningOperators,
  type RunReport,
  type StartOptions,
  webhookPermissions,
} from 'setpoint'
import { connectionFromKubeconfig, type Client } from 'setpoint/client'
import {
  virtualHost,
  type Duration,
  type Intercept,
  type VirtualHost,
  type VirtualProgram,
} from 'setpoint/host'
import { ClusterRole, ClusterRoleBinding, CustomResourceDefinition } from 'setpoint/kinds'
import type { ClusterOptions } from './cluster-options.ts'
import { createCluster, type Cluster } from './create-cluster.ts'
import { registerPolicies } from './policies/register-policies.ts'
import {
  conversionOf,
  registerWebhooks,
  registrationPaths,
  webhooksAddress,
  webhooksPort,
} from './register-webhooks.ts'

/** The options of a test world. */
export interface TestWorldOptions extends Omit<ClusterOptions, 'host' | 'operators'> {
  /** The operators under test. Their CRDs are installed. */
  readonly operators: readonly AnyOperator[]
  /** Decides the order of concurrent events; default 1. */
  readonly seed?: number
  /** Sees every request and response, and may delay or lose it. */
  readonly intercept?: Intercept
  /**
   * The RBAC rules of the operators, such as `rbacFor(operators)`; by default they are
   * administrators. What their webhooks need is added.
   */
  readonly rules?: readonly PolicyRule[]
  /** The programs that `ctx.workspace` of the operators can run, as functions by name. */
  readonly programs?: Readonly<Record<string, VirtualProgram>>
  /** Options of the operators' process, such as `namespaces` or `election`. */
  readonly start?: Omit<StartOptions, 'host' | 'connection'>
}

/** A cluster in virtual time, with operators that run in a separate process. */
export interface TestWorld extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  /** A client with administrator rights. */
  readonly client: Client
  /** The operators' process; another one after `restart()`. */
  readonly running: RunningOperators
  /** A report of every reconcile, oldest first. */
  readonly reports: RunReport[]
  /**
   * The writes of the operators since the last call, such as `update deployments/web` or `create
   * services`. A path outside of the namespace `default` is complete.
   */
  writes(): string[]
  /**
   * Resolves when the cluster and the operators have no work left, except work that waits for a
   * timer.
   */
  settle(options?: { readonly timeout?: Duration }): Promise<void>
  /** Stops the operators. */
  stop(): Promise<void>
  /** Restarts the operators, or starts other operators instead. */
  restart(...operators: AnyOperator[]): Promise<void>
}

/** The user of the operators, by which the trace distinguishes their requests from the test's. */
const operatorName = 'operator'

/** Starts a cluster in virtual time and operators on it, for tests of operators. */
export async function testWorld(options: TestWorldOptions): Promise<TestWorld> {
  const { seed = 1, intercept, programs = {}, start: own = {}, ...more } = options
  const { operators, rules, ...others } = more
  const host = virtualHost({ seed, intercept, programs })
  const groups = rules === undefined ? ['system:masters'] : []
  const users = [{ name: operatorName, groups }, ...(others.users ?? [])]
  const cluster = await createCluster({ ...others, host, users })
  const { client, trace } = cluster
  await install(client, operators, rules)
  const context = { context: operatorName }
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig(), context)
  const reports: RunReport[] = []
  const process: StartOptions = {
    webhooks: { port: webhooksPort },
    ...own,
    host,
    connection,
    onRunEnd: (report) => {
      reports.push(report)
      own.onRunEnd?.(report)
    },
  }
  let running = await start(operators, process)
  let current = operators
  let lastSeen = trace.at(-1)
  return {
    host,
    cluster,
    client,
    reports,
    get running() {
      return running
    },
    writes: () => {
      // By the entry, not by its index: the trace drops old entries.
      const fresh = trace.slice(lastSeen === undefined ? 0 : trace.lastIndexOf(lastSeen) + 1)
      lastSeen = trace.at(-1)
      // Each process has a new certificate; these writes say nothing about the operators.
      const registrations = registrationPaths(current)
      return fresh
        .filter(({ user }) => user === operatorName)
        .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
        .filter(({ path }) => !registrations.includes(path.replace(/\?.*$/, '')))
        .map(({ verb, path }) => `${verb} ${path.replace(/^.*namespaces\/default\//, '')}`)
    },
    settle: ({ timeout = '30s' } = {}) => cluster.settle({ timeout, operators: [running] }),
    stop: () => running.stop(),
    restart: async (...next) => {
      await running.stop()
      const chosen = next.length === 0 ? operators : next
      await registerWebhooks(client, chosen, current)
      await registerPolicies(client, chosen, current)
      current = chosen
      running = await start(chosen, process)
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await cluster.dispose()
      host.stop()
    },
  }
}

/** Creates what the operators need before they start: CRDs, webhooks, policies and permissions. */
async function install(
  client: Client,
  operators: readonly AnyOperator[],
  rules: readonly PolicyRule[] | undefined,
): Promise<void> {
  const definitions = new Set(operators.flatMap(({ declaration }) => declaration.definition ?? []))
  for (const definition of definitions) {
    await client.create(CustomResourceDefinition, definition.crd(conversionOf(definition)))
  }
  await registerWebhooks(client, operators)
  await registerPolicies(client, operators)
  if (rules !== undefined) {
    const { everywhere, inKubeSystem } = webhookPermissions(operators, webhooksAddress)
    await grant(client, [...rules, ...everywhere, ...inKubeSystem])
  }
}

/** Gives the user of the operators a role with these rules. */
async function grant(client: Client, rules: readonly PolicyRule[]): Promise<void> {
  const metadata = { name: operatorName }
  const apiGroup = 'rbac.authorization.k8s.io'
  await client.create(ClusterRole, { metadata, rules })
  await client.create(ClusterRoleBinding, {
    metadata,
    roleRef: { apiGroup, kind: 'ClusterRole', name: operatorName },
    subjects: [{ apiGroup, kind: 'User', name: operatorName }],
  })
}
