import { goQuote } from 'setpoint/schema'
import type { Authorizer, UserInfo } from '../auth/index.ts'
import { ApiError, badRequest, forbidden } from '../status/index.ts'
import type { RequestInfo } from './http/request-info.ts'
import { readListOptions } from './options/list-options.ts'

/** 403 unless the user has the right to send the request. Runs before any object is read. */
export function checkAccess(authorizer: Authorizer, user: UserInfo, info: RequestInfo): void {
  const name = info.name === '' ? selectedName(info) : info.name
  const { isAllowed } = authorizer.authorize({
    user,
    verb: info.verb,
    isResource: info.isResource,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name,
    path: info.path,
  })
  if (isAllowed) return
  if (!info.isResource) {
    const message = `forbidden: User "${user.name}" cannot ${info.verb} path "${info.path}"`
    throw new ApiError({ code: 403, reason: 'Forbidden', message, details: {} })
  }
  const { resource, subresource, group, namespace, verb } = info
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  throw forbidden(
    { group, resource },
    name,
    `User "${user.name}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`,
  )
}

/** A real server reads no name from options that it cannot parse. */
function selectedName({ selectedName: name, query }: RequestInfo): string {
  if (name === '') return ''
  try {
    readListOptions(query)
    return name
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return ''
  }
}

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

/**
 * The user of the Impersonate-* headers; 403 when the authenticated user is not allowed to impersonate it.
 */
export function impersonated(
  authorizer: Authorizer,
  user: UserInfo,
  headers: Readonly<Record<string, string>>,
): UserInfo {
  const name = headers['impersonate-user'] ?? ''
  const groups = splitHeader(headers['impersonate-group'])
  const uid = headers['impersonate-uid']
  const extra = extraOf(headers)
  if (name === '') {
    if (groups.length === 0 && uid === undefined && Object.keys(extra).length === 0) return user
    const asked = printedUser({ groups, uid: uid ?? '', extra })
    throw badRequest(`requested ${asked} without impersonating a user name`)
  }
  const may = (resource: string, subject: string, extra: Partial<Impersonated> = {}): void => {
    requireImpersonation(authorizer, user, { ...plainSubject, resource, name: subject, ...extra })
  }
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name)
  if (account === null) may('users', name)
  else may('serviceaccounts', account[2] ?? '', { namespace: account[1] ?? '' })
  for (const group of groups) may('groups', group)
  if (uid !== undefined) may('uids', uid)
  for (const [subresource, values] of Object.entries(extra)) {
    for (const value of values) may('userextras', value, { subresource })
  }
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    groups: impersonatedGroups(name, groups, account),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

function impersonatedGroups(
  name: string,
  groups: readonly string[],
  account: readonly string[] | null,
): string[] {
  const own =
    account !== null && groups.length === 0
      ? ['system:serviceaccounts', `system:serviceaccounts:${account[1] ?? ''}`]
      : groups
  if (own.includes('system:unauthenticated')) return [...new Set(own)]
  if (name === 'system:anonymous') return [...new Set([...own, 'system:unauthenticated'])]
  return [...new Set([...own, 'system:authenticated'])]
}

/** One part of an impersonated user: the name, a group, the UID or an extra value. */
interface Impersonated {
  readonly resource: string
  readonly subresource: string
  readonly name: string
  readonly namespace: string
}

const plainSubject = { subresource: '', namespace: '' } as const

function requireImpersonation(authorizer: Authorizer, user: UserInfo, subject: Impersonated): void {
  const group =
    subject.resource === 'uids' || subject.resource === 'userextras' ? 'authentication.k8s.io' : ''
  const { isAllowed } = authorizer.authorize({
    user,
    verb: 'impersonate',
    isResource: true,
    group,
    version: 'v1',
    resource: subject.resource,
    subresource: subject.subresource,
    namespace: subject.namespace,
    name: subject.name,
    path: '',
  })
  if (isAllowed) return
  const { resource, subresource } = subject
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const where =
    subject.namespace === '' ? 'at the cluster scope' : `in the namespace "${subject.namespace}"`
  throw forbidden(
    { group, resource: subject.resource },
    subject.name,
    `User "${user.name}" cannot impersonate resource "${what}" in API group "${group}" ${where}`,
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
