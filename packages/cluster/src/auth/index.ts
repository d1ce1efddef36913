/**
 * auth/: who is asking, and may they.
 *
 * api/ authenticates every request (client certificates, tokens, else anonymous) and asks the
 * authorizer before it looks at anything else. Rights come from the RBAC objects in the store, read
 * when they are needed, so a new binding counts for the next request. The certificate authority and
 * the tokens of service accounts are made here too; their secrets come from the host's randomness.
 */
export {
  clusterAuthenticator,
  openAuthenticator,
  tokenUser,
  type Authenticator,
} from './authenticator.ts'
export type { AccessAttributes, Authorizer } from './authorizer.ts'
export { CertificateAuthority } from './certificates.ts'
export { RbacAuthorizer, type RoleRef } from './rbac-authorizer.ts'
export type { PolicyRule } from './policy-rule.ts'
export { rulesCover } from './rbac-rules.ts'
export { ServiceAccountTokens, type TokenBinding } from './service-account-tokens.ts'
export type { UserInfo } from './user-info.ts'
