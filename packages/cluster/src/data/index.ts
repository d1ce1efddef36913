/**
 * data/: the data of a real API server (1.36) about its built-in kinds.
 *
 * Discovery, schemas, protobuf field tables (which also describe the Go structs), table columns,
 * field selectors, OpenAPI documents and the objects of a fresh cluster. Each part is parsed on its
 * first use and shared by all clusters of the process: treat it as read-only.
 * scripts/import-cluster-data writes the modules in generated/.
 */
export { builtinData } from './builtin-data.ts'
export { builtinSchema, definitionOf, withMetadataSchema } from './builtin-schema.ts'
export type {
  DiscoveredGroup,
  DiscoveredResource,
  DiscoveredSubresource,
  FreshObject,
  ProtoField,
} from './builtin-data.ts'
