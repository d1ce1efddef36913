/** What a request to the Kubernetes API is about. */
export interface RequestTarget {
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly plural: string
  /** Empty for cluster-scoped objects and for requests of all namespaces. */
  readonly namespace: string
  /** Empty for requests of collections. */
  readonly name: string
  readonly subresource: string
  /** Whether a read may be answered by a watch cache that is behind: `resourceVersion=0`. */
  readonly mayBeStale: boolean
}

const objectVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}
const collectionVerbs: Readonly<Record<string, string>> = {
  GET: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
}

/** Reads the target from method and URL; `undefined` if the path is not that of a resource, such as discovery. */
export function requestTarget(method: string, url: string): RequestTarget | undefined {
  const { pathname, searchParams } = new URL(url)
  const [root, ...parts] = pathname.split('/').filter((part) => part !== '')
  if (root !== 'api' && root !== 'apis') return undefined
  const group = root === 'api' ? '' : (parts[0] ?? '')
  const version = parts[root === 'api' ? 0 : 1] ?? ''
  const rest = parts.slice(root === 'api' ? 1 : 2)
  const isInNamespace = rest[0] === 'namespaces' && rest.length > 2
  const namespace = isInNamespace ? (rest[1] ?? '') : ''
  const [plural, name = '', subresource = ''] = isInNamespace ? rest.slice(2) : rest
  if (plural === undefined) return undefined
  const isWatch = searchParams.get('watch') === 'true' || searchParams.get('watch') === '1'
  const isSubresourceWrite = name !== '' && method === 'POST'
  const verbs = name === '' ? collectionVerbs : objectVerbs
  const verb = isWatch ? 'watch' : isSubresourceWrite ? 'create' : verbs[method]
  if (verb === undefined) return undefined
  const mayBeStale = isWatch || searchParams.get('resourceVersion') === '0'
  return { verb, group, version, plural, namespace, name, subresource, mayBeStale }
}

/** The bucket of the store, such as `apps/deployments`. */
export function bucketOf({ group, plural }: Pick<RequestTarget, 'group' | 'plural'>): string {
  return `${group}/${plural}`
}

/** The key in the bucket; for a creation the namespace with a slash at most. */
export function keyOf({ namespace, name }: Pick<RequestTarget, 'namespace' | 'name'>): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch'])

/** Leases are renewed all the time, Events only report, and reviews store nothing. */
export function isWrite({ verb, group, plural }: RequestTarget): boolean {
  return !reading.has(verb) && !/^(leases|events)$/.test(plural) && !isReview(group)
}

function isReview(group: string): boolean {
  return group === 'authorization.k8s.io' || group === 'authentication.k8s.io'
}
