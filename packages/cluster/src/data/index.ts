/**
 * data/: what a real API server (1.36) says about its built-in kinds, as data.
 *
 * Discovery, schemas, protobuf field tables (which are also the shape of the Go structs), printing
 * columns, field selectors, OpenAPI documents and the objects of a fresh cluster. Each is parsed when
 * it is first asked for and shared by all clusters of the process: treat it as read-only. The modules
 * in generated/ are written by scripts/import-cluster-data.
 */
export { builtinData } from './builtin-data.ts'
export type {
  DiscoveredGroup,
  DiscoveredResource,
  DiscoveredSubresource,
  FreshObject,
  ProtoField,
} from './builtin-data.ts'
