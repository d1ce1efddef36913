/**
 * components/: the controllers and nodes of a cluster, and the operators of its user, in its process.
 *
 * create-cluster.ts starts them. A built-in one starts when there is work for it (decision 0035).
 */
export { InProcessOperators } from './in-process-operators.ts'
export { KindUse } from './kind-use.ts'
export type { LazyOperators } from './lazy-operators.ts'
export { settledOperators } from './settled-operators.ts'
export type { SettledOperators } from './settled.ts'
export { startComponents } from './start-components.ts'
