/**
 * cluster/: everything put together: a store, the API over it, and a door to it.
 *
 * `createCluster` makes the parts, fills an empty store with what a fresh cluster holds, listens, and
 * hands out credentials. What a real cluster does in the background about definitions is here too. It
 * runs on any host, and many can live in one process: nothing is shared but read-only data.
 */
export {
  createCluster,
  type Cluster,
  type ClusterOptions,
  type ClusterUser,
} from './create-cluster.ts'
export type { TraceEntry } from './trace.ts'
