/**
 * defaults/: the fields that a server sets in objects of built-in kinds, and those that clients
 * cannot change.
 *
 * `applyBuiltinDefaults` runs on every decoded object, before admission; the strategies run after
 * mutating admission and before validation. kinds/ has the defaults, one file per group of types;
 * strategies/ has a real server's registry strategy of each kind: status, generation, selectors of
 * jobs. All functions change the given object, which must be a fresh one, and nothing else. Fields
 * that need the state of the cluster, such as addresses of services, are not set here.
 */
export { applyBuiltinDefaults } from './apply-builtin-defaults.ts'
export { completedByRead } from './strategies/completed-by-read.ts'
export type { RequestingUser } from './strategies/strategy.ts'
export { prepareForCreate, prepareForUpdate } from './strategies/prepare-for-create.ts'
