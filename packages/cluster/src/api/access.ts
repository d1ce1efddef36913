import type { Authorizer, UserInfo } from '../auth/index.ts'
import { ApiError, forbidden } from '../status/index.ts'
import type { RequestInfo } from './http/request-info.ts'
import { readListOptions } from './options/list-options.ts'

/** 403 unless the user has the right to send the request. Runs before any object is read. */
export function checkAccess(
  authorizer: Authorizer,
  user: UserInfo,
  info: Omit<RequestInfo, 'method'>,
): void {
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
function selectedName({
  selectedName: name,
  query,
}: Pick<RequestInfo, 'selectedName' | 'query'>): string {
  if (name === '') return ''
  try {
    readListOptions(query)
    return name
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return ''
  }
}
