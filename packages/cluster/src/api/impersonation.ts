import { goQuote } from 'setpoint/schema'
import type { Authorizer, UserInfo } from '../auth/index.ts'
import { ApiError, badRequest, forbidden } from '../status/index.ts'
import { checkAccess } from './access.ts'
import type { RequestInfo } from './http/request-info.ts'

/** A user without a name in Go's `%#v` form, as a real server's refusal prints it. */
function printedUser(asked: {
  groups: readonly string[]
  uid: string
  extra: Readonly<Record<string, readonly string[]>>
}): string {
  const texts = (items: readonly string[]): string => `{${items.map(goQuote).join(', ')}}`
  const groups = asked.groups.length === 0 ? '(nil)' : texts(asked.groups)
  const keys = Object.keys(asked.extra).sort()
  const entries = keys.map((key) => `${goQuote(key)}:[]string${texts(asked.extra[key] ?? [])}`)
  const extra = keys.length === 0 ? '(nil)' : `{${entries.join(', ')}}`
  return `&user.DefaultInfo{Name:"", UID:${goQuote(asked.uid)}, Groups:[]string${groups}, Extra:map[string][]string${extra}}`
}

/** A user that a client wants to be. */
interface WantedUser {
  readonly name: string
  readonly groups: readonly string[]
  readonly uid: string | undefined
  readonly extra: Readonly<Record<string, readonly string[]>>
  /** The namespace and the name, if it is a service account. */
  readonly account: readonly [namespace: string, name: string] | undefined
  readonly node: string | undefined
}

/** The request of which impersonation is a part. */
interface Impersonation {
  readonly headers: Readonly<Record<string, string>>
  readonly info: RequestInfo
}

/**
 * The user of the Impersonate-* headers. The right is limited to requests of the same kind, or the
 * older one for all requests; 403 with the first refusal when the client has neither.
 */
export function impersonated(
  authorizer: Authorizer,
  user: UserInfo,
  { headers, info }: Impersonation,
): UserInfo {
  const wanted = wantedUser(headers)
  if (wanted === undefined) return user
  const mode = constrainedMode(wanted)
  try {
    if (mode !== undefined) {
      const verb = `impersonate-on:${mode}:${info.verb}`
      checkAccess(authorizer, user, { ...info, verb })
      requireAll(authorizer, user, { wanted, verb: `impersonate:${mode}`, isConstrained: true })
      const groups = mode === 'arbitrary-node' ? ['system:nodes'] : wanted.groups
      return actualUser({ ...wanted, groups })
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // A real server first tries the way that succeeded last, and reports its refusal.
    const known = usersForAll.get(authorizer) ?? new Set<string>()
    if (!known.has(user.name) && !isAllowedForAll(authorizer, user, wanted)) throw error
    requireAll(authorizer, user, { wanted, verb: 'impersonate', isConstrained: false })
    usersForAll.set(authorizer, known.add(user.name))
    return actualUser(wanted)
  }
  requireAll(authorizer, user, { wanted, verb: 'impersonate', isConstrained: false })
  return actualUser(wanted)
}

/** The clients that last impersonated by the right for all requests. */
const usersForAll = new WeakMap<Authorizer, Set<string>>()

function wantedUser(headers: Readonly<Record<string, string>>): WantedUser | undefined {
  const name = headers['impersonate-user'] ?? ''
  const groups = splitHeader(headers['impersonate-group'])
  const uid = headers['impersonate-uid']
  const extra = extraOf(headers)
  if (name === '') {
    if (groups.length === 0 && uid === undefined && Object.keys(extra).length === 0)
      return undefined
    const asked = printedUser({ groups, uid: uid ?? '', extra })
    throw badRequest(`requested ${asked} without impersonating a user name`)
  }
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name)
  const node = /^system:node:(.+)$/.exec(name)?.[1]
  const subject = account === null ? undefined : ([account[1] ?? '', account[2] ?? ''] as const)
  return { name, groups, uid, extra, account: subject, node }
}

/** The kind of impersonation that can be limited to some requests. */
function constrainedMode(wanted: WantedUser): string | undefined {
  const { groups, uid, extra, account, node } = wanted
  const isOnlyName = groups.length === 0 && uid === undefined && Object.keys(extra).length === 0
  if (node !== undefined) return isOnlyName ? 'arbitrary-node' : undefined
  if (account !== undefined) return isOnlyName ? 'serviceaccount' : undefined
  return 'user-info'
}

function isAllowedForAll(authorizer: Authorizer, user: UserInfo, wanted: WantedUser): boolean {
  try {
    requireAll(authorizer, user, { wanted, verb: 'impersonate', isConstrained: false })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return false
  }
}

/** 403 unless the client may impersonate every part of the user. */
function requireAll(
  authorizer: Authorizer,
  user: UserInfo,
  rule: { wanted: WantedUser; verb: string; isConstrained: boolean },
): void {
  const { wanted, verb, isConstrained } = rule
  const own = isConstrained ? identityGroup : ''
  const may = (resource: string, name: string, extra: Partial<Impersonated> = {}): void => {
    const subject = { subresource: '', namespace: '', group: own, verb, resource, name, ...extra }
    requireImpersonation(authorizer, user, subject)
  }
  const { account, node } = wanted
  if (account !== undefined) may('serviceaccounts', account[1], { namespace: account[0] })
  else if (isConstrained && node !== undefined) may('nodes', node)
  else may('users', wanted.name)
  for (const group of wanted.groups) may('groups', group)
  if (wanted.uid !== undefined) may('uids', wanted.uid, { group: identityGroup })
  for (const [subresource, values] of Object.entries(wanted.extra)) {
    for (const value of values) may('userextras', value, { subresource, group: identityGroup })
  }
}

const identityGroup = 'authentication.k8s.io'

function actualUser(wanted: WantedUser): UserInfo {
  const { name, uid, extra } = wanted
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    groups: impersonatedGroups(wanted),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

function impersonatedGroups({ name, groups, account }: WantedUser): string[] {
  const own =
    account !== undefined && groups.length === 0
      ? ['system:serviceaccounts', `system:serviceaccounts:${account[0]}`]
      : groups
  if (own.includes('system:unauthenticated')) return [...new Set(own)]
  if (name === 'system:anonymous') return [...new Set([...own, 'system:unauthenticated'])]
  return [...new Set([...own, 'system:authenticated'])]
}

/** One part of an impersonated user: the name, a group, the UID or an extra value. */
interface Impersonated {
  readonly group: string
  readonly verb: string
  readonly resource: string
  readonly subresource: string
  readonly name: string
  readonly namespace: string
}

function requireImpersonation(authorizer: Authorizer, user: UserInfo, subject: Impersonated): void {
  const { group, resource, subresource, namespace, verb, name } = subject
  const { isAllowed } = authorizer.authorize({
    user,
    verb,
    isResource: true,
    group,
    version: 'v1',
    resource,
    subresource,
    namespace,
    name,
    path: '',
  })
  if (isAllowed) return
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  throw forbidden(
    { group, resource },
    name,
    `User "${user.name}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`,
  )
}

function splitHeader(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/**
 * A key that is not percent-encoded is used as it is. The bytes of others need not be UTF-8, as on a
 * real server.
 */
function extraKey(encoded: string): string {
  if (/%(?![0-9a-fA-F]{2})/.test(encoded)) return encoded
  const bytes = encoded.replace(/%(..)/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return new TextDecoder().decode(Buffer.from(bytes, 'latin1'))
}

function extraOf(headers: Readonly<Record<string, string>>): Record<string, string[]> {
  const prefix = 'impersonate-extra-'
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]): [string, string[]] => [
        extraKey(name.slice(prefix.length)),
        splitHeader(value),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
