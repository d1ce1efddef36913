import { type Cluster, createCluster } from '@setpoint/cluster'
import { type Client, connectionFromKubeconfig } from '../../client/index.ts'
import type { RunReport } from '../../controller/index.ts'
import { type Intercept, type VirtualHost, virtualHost } from '../../host/index.ts'
import { CustomResourceDefinition } from '../../kinds/index.ts'
import type { AnyOperator } from '../../operator/index.ts'
import { type RunningOperators, start, type StartOptions } from '../index.ts'

/** A cluster in virtual time with running operators. */
export interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
  readonly running: RunningOperators
  readonly reports: RunReport[]
  /** The write requests since the last call. */
  writes(): string[]
  restart(): Promise<void>
}

/** Starts operators on a cluster that has their definitions. */
export async function createWorld(...operators: AnyOperator[]): Promise<World> {
  return createWorldWith({}, ...operators)
}

/** The same, with options for the process. */
export async function createWorldWith(
  { intercept, ...extra }: StartOptions & { readonly intercept?: Intercept },
  ...operators: AnyOperator[]
): Promise<World> {
  const host = virtualHost({ seed: 1, intercept })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const reports: RunReport[] = []
  const options = {
    ...extra,
    host,
    connection,
    onRunEnd: (report: RunReport) => reports.push(report),
  }
  let running = await start([], { host, connection })
  const definitions = new Set(operators.flatMap(({ declaration }) => declaration.definition ?? []))
  for (const definition of definitions) {
    await running.client.create(CustomResourceDefinition, definition.crd())
  }
  await running.stop()
  running = await start(operators, options)
  let seen = cluster.trace.length
  return {
    host,
    cluster,
    client: running.client,
    get running() {
      return running
    },
    reports,
    writes: () => {
      const fresh = cluster.trace.slice(seen)
      seen = cluster.trace.length
      return fresh
        .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
        .map(({ verb, path }) => `${verb} ${path.replace(/^.*namespaces\/default\//, '')}`)
    },
    restart: async () => {
      await running.stop()
      running = await start(operators, options)
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await cluster.dispose()
      host.stop()
    },
  }
}
