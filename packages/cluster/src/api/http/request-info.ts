/**
 * The attributes of a request, read only from its method and path: authorization decides on them
 * before any object or body is read.
 */

/** A parsed request line. */
export interface RequestInfo {
  readonly method: string
  /** The path without the query, as it was sent. */
  readonly path: string
  readonly query: URLSearchParams
  /**
   * Whether the path names a resource of a group version; if not, only `path` and `verb` are set.
   */
  readonly isResource: boolean
  /** `get`, `list`, `create`, ...; for other paths the method in lower case. */
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  /** The path after the subresource (`proxy/some/path`). */
  readonly rest: readonly string[]
  readonly namespace: string
  readonly name: string
  /**
   * The name to which a field selector on `metadata.name` limits a list or watch: authorization
   * treats such a request as one about that object.
   */
  readonly selectedName: string
}

const verbOfMethod: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

const namespaceSubresources = new Set(['status', 'finalize'])

/** Parses a request line; `isResource` is false for a path that is not a resource's. */
export function parseRequest(method: string, target: string): RequestInfo {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = new URLSearchParams(mark === -1 ? '' : readable(target.slice(mark + 1)))
  const line = { method, path, query }
  const segments = segmentsOf(path)
  const [root] = segments
  const isCore = root === 'api' && segments.length >= 3
  const isGrouped = root === 'apis' && segments.length >= 4
  if (!isCore && !isGrouped) return nonResource(line, segments)
  const [group, version] = isCore ? ['', segments[1] ?? ''] : [segments[1] ?? '', segments[2] ?? '']
  return resourceRequest({ ...line, group, version }, segments.slice(isCore ? 2 : 3))
}

/** Whether a path ends where it should name a resource: after a verb, as in `/api/v1/watch`. */
export function endsWithVerb(target: string): boolean {
  const segments = segmentsOf(target.split('?')[0] ?? '')
  const last = segments.at(-1)
  if (last !== 'watch' && last !== 'proxy') return false
  return segments.length === (segments[0] === 'api' ? 3 : 4) && /^apis?$/.test(segments[0] ?? '')
}

/** Go drops the pairs of a query that it cannot parse. */
function readable(query: string): string {
  if (!unreadable.test(query)) return query
  return query
    .split('&')
    .filter((part) => !unreadable.test(part))
    .join('&')
}

const unreadable = /%(?![0-9a-fA-F]{2})|;/

/** A path is decoded as a whole: an encoded slash separates segments. */
function segmentsOf(path: string): string[] {
  const trimmed = decoded(path).replace(/^\/|\/+$/g, '')
  return trimmed === '' ? [] : trimmed.split('/')
}

function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const empty = { subresource: '', rest: [], namespace: '', name: '', selectedName: '' } as const

function nonResource(
  line: { method: string; path: string; query: URLSearchParams },
  segments: readonly string[],
): RequestInfo {
  const isGrouped = segments[0] === 'apis'
  return {
    ...line,
    ...empty,
    isResource: false,
    verb: line.method.toLowerCase(),
    group: isGrouped ? (segments[1] ?? '') : '',
    version: (isGrouped ? segments[2] : segments[1]) ?? '',
    resource: '',
  }
}

function resourceRequest(
  line: Pick<RequestInfo, 'method' | 'path' | 'query' | 'group' | 'version'>,
  segments: readonly string[],
): RequestInfo {
  let parts = segments
  // For every method: only watches by GET are answered, but authorization checks this verb.
  let verbInPath: string | undefined
  if ((parts[0] === 'watch' || parts[0] === 'proxy') && parts.length > 1) {
    verbInPath = parts[0]
    parts = parts.slice(1)
  }
  let namespace = ''
  const [first, second, third] = parts
  if (first === 'namespaces' && second !== undefined) {
    namespace = second
    if (third !== undefined && !namespaceSubresources.has(third)) parts = parts.slice(2)
  }
  const [resource = '', name = '', ...below] = parts
  const [subresource = '', ...rest] = verbInPath === 'proxy' ? [] : below
  const selectedName = name === '' ? nameInSelector(line.query) : ''
  const verb = verbInPath ?? verbOf(line, name)
  if (verb === 'watch' && name !== '' && subresource === '') {
    return { ...watchOfOne(line, name), resource, namespace }
  }
  return {
    ...line,
    isResource: true,
    verb,
    resource,
    name,
    subresource,
    rest,
    namespace,
    selectedName: verb === 'list' || verb === 'watch' ? selectedName : '',
  }
}

/**
 * The deprecated path that watches one object is a watch of its collection with a name selector.
 */
function watchOfOne(
  line: Pick<RequestInfo, 'method' | 'path' | 'query' | 'group' | 'version'>,
  name: string,
): Omit<RequestInfo, 'resource' | 'namespace'> {
  const query = new URLSearchParams(line.query)
  query.set('fieldSelector', `metadata.name=${name}`)
  const target = { verb: 'watch', name: '', subresource: '', rest: [], selectedName: name }
  return { ...line, query, isResource: true, ...target }
}

function verbOf({ method, query }: Pick<RequestInfo, 'method' | 'query'>, name: string): string {
  const verb = verbOfMethod[method] ?? ''
  if (name !== '') return verb
  if (verb === 'delete') return 'deletecollection'
  if (verb !== 'get') return verb
  return isTruthy(query, 'watch') ? 'watch' : 'list'
}

/** A query parameter that is present and neither `false` nor `0`. */
export function isTruthy(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value !== null && value.toLowerCase() !== 'false' && value !== '0'
}

function nameInSelector(query: URLSearchParams): string {
  const selector = query.get('fieldSelector')
  if (selector === null) return ''
  const match = /(?:^|,)metadata\.name==?([^,=!\\]+)(?:,|$)/.exec(selector)
  return match?.[1] ?? ''
}
