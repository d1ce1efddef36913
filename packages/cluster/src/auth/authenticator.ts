import { createHash } from 'node:crypto'
import type { PeerCertificate } from 'setpoint/host'
import { unauthorized } from '../status/index.ts'
import type { ServiceAccountTokens, TokenClaims } from './service-account-tokens.ts'
import type { UserInfo } from './user-info.ts'

/** The credentials of a request. */
interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly certificate: PeerCertificate | undefined
}

/** Determines the user of a request; 401 for an unknown token. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<UserInfo>
}

/** Finds a service account in the store. */
type AccountLookup = (namespace: string, name: string) => { readonly uid: string } | undefined

/** The credentials that the authenticator accepts. */
interface AuthenticatorOptions {
  readonly tokens: ReadonlyMap<string, UserInfo>
  readonly accountTokens: ServiceAccountTokens
  readonly accountOf: AccountLookup
}

const authenticatedGroup = 'system:authenticated'
const credentialId = 'authentication.kubernetes.io/credential-id'

/** The user of a request without credentials. */
const anonymous: UserInfo = {
  name: 'system:anonymous',
  groups: ['system:unauthenticated'],
}

/**
 * Checks client certificates, then tokens, and otherwise authenticates as anonymous, as a default
 * server does.
 */
export function clusterAuthenticator(options: AuthenticatorOptions): Authenticator {
  return {
    async authenticate({ headers, certificate }) {
      const token = bearerToken(headers['authorization'])
      const user =
        certificateUser(certificate) ??
        (token === undefined ? anonymous : tokenUser(token, options))
      if (user === undefined) throw unauthorized()
      return user
    },
  }
}

/** For tests that are not about access: all clients have administrator rights. */
export function openAuthenticator(): Authenticator {
  const user = { name: 'admin', groups: ['system:masters', authenticatedGroup] }
  return { authenticate: async () => user }
}

/** A connection has one certificate for all its requests, so the user is cached. */
const certificateUsers = new WeakMap<PeerCertificate, UserInfo>()

function certificateUser(certificate: PeerCertificate | undefined): UserInfo | undefined {
  if (certificate?.verified !== true) return undefined
  const [name] = certificate.subject['CN'] ?? []
  if (name === undefined) return undefined
  const known = certificateUsers.get(certificate)
  if (known !== undefined) return known
  const hash = createHash('sha256').update(certificate.der).digest('hex')
  const user = {
    name,
    groups: [...(certificate.subject['O'] ?? []), authenticatedGroup],
    extra: { [credentialId]: [`X509SHA256=${hash}`] },
  }
  certificateUsers.set(certificate, user)
  return user
}

/** A header of another scheme is ignored: the request stays anonymous. */
function bearerToken(header: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (header ?? '').trim().split(' ')
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

/** The user of a token; `undefined` if it is invalid. */
export function tokenUser(token: string, options: AuthenticatorOptions): UserInfo | undefined {
  const known = options.tokens.get(token)
  if (known !== undefined) {
    return { ...known, groups: [...new Set([...known.groups, authenticatedGroup])] }
  }
  const claims = options.accountTokens.verify(token)
  return claims === undefined ? undefined : accountUser(claims, options)
}

function accountUser(claims: TokenClaims, options: AuthenticatorOptions): UserInfo | undefined {
  if (!claims.aud.includes(options.accountTokens.issuer)) return undefined
  const { namespace, serviceaccount, pod, node } = claims['kubernetes.io']
  // A token becomes invalid with its account, even if an account of the same name is created again.
  if (options.accountOf(namespace, serviceaccount.name)?.uid !== serviceaccount.uid)
    return undefined
  return {
    name: claims.sub,
    uid: serviceaccount.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, authenticatedGroup],
    extra: {
      [credentialId]: [`JTI=${claims.jti}`],
      ...(pod === undefined
        ? {}
        : {
            'authentication.kubernetes.io/pod-name': [pod.name],
            'authentication.kubernetes.io/pod-uid': [pod.uid],
          }),
      ...(node === undefined ? {} : { 'authentication.kubernetes.io/node-name': [node.name] }),
      ...(node?.uid === undefined ? {} : { 'authentication.kubernetes.io/node-uid': [node.uid] }),
    },
  }
}
