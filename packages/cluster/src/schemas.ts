/**
 * @setpoint/cluster/schemas: the schemas of built-in kinds, as a 1.36 API server publishes them.
 *
 * The CLI checks the expressions of admission with them. It does not load the cluster. The schemas
 * have no references, so that `setpoint/cel` can make types of them.
 */
export { builtinSchema, withMetadataSchema } from './data/index.ts'
