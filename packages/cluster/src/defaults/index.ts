/**
 * defaults/: what a server adds to objects of built-in kinds, and what it does not let clients change.
 *
 * `applyBuiltinDefaults` runs on every decoded object, before admission; the preparations run after
 * mutating admission and before validation. kinds/ holds the defaults, one file per group of types;
 * prepare/ holds what the registry of a real server does with a kind: status, generation, selectors
 * of jobs. All of it changes the object it is given, which must be a fresh one, and nothing else.
 * Addresses of services and whatever else needs the state of the cluster is not here.
 */
export { applyBuiltinDefaults } from './apply-builtin-defaults.ts'
export type { RequestingUser } from './prepare/preparation.ts'
export { prepareForCreate, prepareForUpdate } from './prepare/prepare-object.ts'
