import { createHash } from 'node:crypto'
import type { PeerCertificate } from 'setpoint/host'
import { unauthorized } from '../status/index.ts'
import type { ServiceAccountTokens, TokenClaims } from './service-account-tokens.ts'
import type { UserInfo } from './user-info.ts'

/** What a request shows of its sender. */
interface Evidence {
  readonly headers: Readonly<Record<string, string>>
  readonly certificate: PeerCertificate | undefined
}

/** Finds out who makes a request; 401 for a token that nobody knows. */
export interface Authenticator {
  authenticate(evidence: Evidence): Promise<UserInfo>
}

/** A service account as the store knows it. */
type AccountLookup = (namespace: string, name: string) => { readonly uid: string } | undefined

/** What the authenticator believes. */
interface AuthenticatorOptions {
  readonly tokens: ReadonlyMap<string, UserInfo>
  readonly accountTokens: ServiceAccountTokens
  readonly accountOf: AccountLookup
}

const authenticatedGroup = 'system:authenticated'
const credentialId = 'authentication.kubernetes.io/credential-id'

/** Who is nobody. */
const anonymous: UserInfo = {
  name: 'system:anonymous',
  groups: ['system:unauthenticated'],
}

/** Client certificates, then tokens, else anonymous: as a default server does it. */
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

/** For tests that are not about access: everybody is an administrator. */
export function openAuthenticator(): Authenticator {
  const user = { name: 'admin', groups: ['system:masters', authenticatedGroup] }
  return { authenticate: async () => user }
}

/** A connection shows one certificate for all its requests. */
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

/** A header of another scheme says nothing that we understand: the request stays anonymous. */
function bearerToken(header: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (header ?? '').trim().split(' ')
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

/** The user of a token; `undefined` when it is not valid. */
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
  // A token dies with its account, also when another one of the same name is made.
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
