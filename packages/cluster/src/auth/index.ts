/**
 * auth/: authentication and authorization.
 *
 * api/ authenticates every request (client certificates, tokens, else anonymous) and calls the
 * authorizer before it does anything else. Rights come from the RBAC objects in the store. They are
 * read for each request, so a new binding takes effect with the next request. The
 * signer of certificate requests and service account tokens are here too.
 */
export {
  clusterAuthenticator,
  openAuthenticator,
  tokenUser,
  type Authenticator,
} from './authenticator.ts'
export type { AccessAttributes, Authorizer } from './authorizer.ts'
export { RbacAuthorizer, type RoleRef } from './rbac-authorizer.ts'
export type { PolicyRule } from './policy-rule.ts'
export { uncoveredRules } from './rbac-rules.ts'
export { signRequest } from './sign-request.ts'
export { ServiceAccountTokens, type TokenBinding } from './service-account-tokens.ts'
export type { UserInfo } from './user-info.ts'
