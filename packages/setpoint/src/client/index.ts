/**
 * client/: the Kubernetes API as typed calls.
 *
 * `Client` has the verbs, `loadConnection` finds the cluster as kubectl does (or the one of the
 * pod), `Transport` sends a call: with rotating credentials, deadlines and the delays that the
 * server asks for. The cache and the operators use the API through this folder; users may too
 * (`setpoint/client`).
 *
 * Every failure says what is known: refused (and why), never sent, or `WRITE_OUTCOME_UNKNOWN`,
 * which must not be repeated blindly. The client caches no objects.
 */
export type { ApiCall } from './transport/api-call.ts'
export { ApiError, isApiError, type ApiStatus, type StatusCause } from './transport/api-error.ts'
export type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  ListOptions,
  LogOptions,
  JsonPatchOperation,
  Patch,
  Propagation,
  Selection,
  WatchOptions,
  WriteOptions,
} from './transport/call-options.ts'
export { Client, type ClientOptions } from './client.ts'
export {
  fixedCredentials,
  type Connection,
  type Credential,
  type CredentialSource,
} from './connection/connection.ts'
export { inClusterName } from './connection/in-cluster.ts'
export {
  connectionFromKubeconfig,
  loadConnection,
  type LoadOptions,
} from './connection/load-connection.ts'
export type { ObjectPlace, ObjectRef } from './object-ref.ts'
export type { AppliedOf, ListPage, ManifestOf, WatchEvent } from './object-types.ts'
export type { RateLimit } from './transport/rate-limit.ts'
export { openWatch, watchEventFrom } from './watch-events.ts'
export { splitLines } from './transport/split-lines.ts'
export {
  Transport,
  type ApiStream,
  type RequestReport,
  type TransportOptions,
} from './transport/transport.ts'
