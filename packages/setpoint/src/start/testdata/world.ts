import { type Cluster, createCluster, testWorld, type TestWorld } from '@setpoint/cluster'
import { type Client, type Connection, connectionFromKubeconfig } from '../../client/index.ts'
import type { AnyResourceDefinition } from '../../definition/index.ts'
import {
  type Intercept,
  type VirtualHost,
  virtualHost,
  type VirtualHostOptions,
} from '../../host/index.ts'
import { ClusterRole, ClusterRoleBinding, CustomResourceDefinition } from '../../kinds/index.ts'
import type { AnyOperator, PolicyRule } from '../../operator/index.ts'
import { type RunningOperators, start, type StartOptions } from '../index.ts'

/** A cluster in virtual time with running operators. */
export type World = TestWorld

/** Starts operators on an API server that has their definitions. */
export async function createWorld(...operators: AnyOperator[]): Promise<World> {
  return createWorldWith({}, ...operators)
}

/** The same, with options for the process. */
export async function createWorldWith(
  { intercept, ...options }: StartOptions & { readonly intercept?: Intercept },
  ...operators: AnyOperator[]
): Promise<World> {
  return testWorld({
    operators,
    workloads: 'off',
    start: options,
    ...(intercept === undefined ? {} : { intercept }),
  })
}

/** A cluster in virtual time without operators: the test starts them itself. */
interface IdleWorld extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  /** A client with administrator rights. */
  readonly client: Client
  /** The connection of that client. */
  readonly connection: Connection
  /** Starts operators, by default as an administrator. */
  start(operators: readonly AnyOperator[], options?: StartOptions): Promise<RunningOperators>
  /** The connection of a user with exactly these RBAC rules. The next call replaces the rules. */
  connectAs(rules: readonly PolicyRule[]): Promise<Connection>
}

const userName = 'operator'

/** An API server in virtual time that has these definitions. */
export async function createIdleWorld(
  definitions: readonly AnyResourceDefinition[],
  options: Partial<VirtualHostOptions> = {},
): Promise<IdleWorld> {
  const host = virtualHost({ seed: 1, ...options })
  const cluster = await createCluster({ host, workloads: 'off', users: [{ name: userName }] })
  const { client } = cluster
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  for (const definition of definitions) {
    await client.create(CustomResourceDefinition, definition.crd())
  }
  return {
    host,
    cluster,
    client,
    connection,
    start: (operators, more = {}) => start(operators, { host, connection, ...more }),
    connectAs: async (rules) => {
      const metadata = { name: userName }
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: userName }
      const subjects = [{ apiGroup: roleRef.apiGroup, kind: 'User', name: userName }]
      await client.apply(ClusterRole, { metadata, rules }, { force: true })
      await client.apply(ClusterRoleBinding, { metadata, roleRef, subjects }, { force: true })
      return connectionFromKubeconfig(host, cluster.kubeconfig(), { context: userName })
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}
