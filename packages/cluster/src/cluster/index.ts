/**
 * cluster/: the whole cluster: a store, the API server and the components that use it.
 *
 * `createCluster` creates the parts, fills an empty store with the objects of a fresh cluster,
 * listens, and issues credentials. The background tasks of a real server for definitions,
 * APIServices and FlowSchemas are here too. `testWorld` adds operators under test to a cluster in
 * virtual time. A cluster runs on any host. Several clusters can run in
 * one process: they share only read-only data.
 */
export type { ClusterOptions, ClusterSnapshot, ClusterUser, LeftOut } from './cluster-options.ts'
export { createCluster, type Cluster } from './create-cluster.ts'
export { testWorld, type TestWorld, type TestWorldOptions } from './test-world.ts'
export type { TraceEntry } from './trace.ts'
