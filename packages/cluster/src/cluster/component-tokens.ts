import type { ServiceAccountTokens } from '../auth/index.ts'
import type { AccountTokenRequest } from '../controllers/index.ts'
import type { ProcessApi } from '../nodes/index.ts'

/** A service account token for a Secret, which does not expire in practice. */
export function unexpiringToken(
  tokens: ServiceAccountTokens,
  { secret, ...account }: AccountTokenRequest,
): string {
  const lifetimeSeconds = 100 * 365 * 24 * 3600
  return tokens.issue({ ...account, bound: { secret } }, { audiences: [], lifetimeSeconds }).token
}

/** The API access of processes. Their tokens have the maximum lifetime of pod tokens. */
export function processApi(url: string, tokens: ServiceAccountTokens): ProcessApi {
  const lifetimeSeconds = 365 * 24 * 3600
  return {
    url,
    token: ({ namespace, account, pod, audience }) => {
      const audiences = audience === undefined ? [] : [audience]
      const subject = { namespace, ...account, bound: { pod } }
      return tokens.issue(subject, { audiences, lifetimeSeconds }).token
    },
  }
}
