/**
 * aggregated-api/: resources that the API server does not store: `serveApi` and `serveResource`.
 *
 * `operator/` has `serveApi`, because an API is passed to `start` like an operator. `webhooks/`
 * serves it over the same TLS server as webhooks, and registers the APIService.
 *
 * Only API servers can call it: by a certificate of the front proxy. The user is in the headers, and
 * is authorized by a SubjectAccessReview. Functions of the author get objects that are valid by the
 * definition, and have a deadline.
 */
export { AggregatedApis } from './aggregated-apis.ts'
export {
  type ApiDeclaration,
  apiDeclaration,
  type ServeApiOptions,
} from './declare/api-declaration.ts'
export { RefuseRequestError, type RefusalReason } from './declare/refuse-request-error.ts'
export { serveResource, type ServedResource } from './declare/serve-resource.ts'
export type {
  ApiCall,
  ApiUser,
  GetCall,
  ListCall,
  ResourceFunctions,
  ServedDefinition,
  ServedEvent,
  ServedList,
  ServedObject,
  WatchCall,
  WriteCall,
  WrittenObject,
} from './declare/served-types.ts'
