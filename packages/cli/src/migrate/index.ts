/**
 * migrate/: `setpoint migrate`, which rewrites stored objects to the storage version of their CRD.
 *
 * `migrateDefinition` migrates one CRD: `rewrite-objects.ts` sends an update without changes for
 * each object, page by page, and `migration-position.ts` keeps the position on the CRD, so that an
 * interrupted run continues. `run-migrate.ts` finds the CRDs and prints the progress.
 *
 * It guarantees that a version is removed from `status.storedVersions` only after every object was
 * rewritten while the CRD did not change.
 */
export { migrateDefinition } from './migrate-definition.ts'
export { runMigrate } from './run-migrate.ts'
