import { SetpointError } from '../errors/index.ts'
import type { Kind } from '../kinds/kind.ts'

/**
 * Names an object: its key `namespace/name`, a name alone (in the namespace of the client, or of a
 * cluster-scoped kind), or an object with `name` and `namespace`, such as the metadata of another
 * object.
 */
export type ObjectRef = string | { readonly namespace?: string | undefined; readonly name: string }

/** The namespace and name of an object. */
export interface ObjectPlace {
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string
  readonly name: string
}

/** Adds the default namespace to a reference, and refuses names that would change the URL. */
export function placeOf(kind: Kind, ref: ObjectRef, namespaceDefault: string): ObjectPlace {
  const { name, namespace } = typeof ref === 'object' ? ref : partsOfKey(kind, ref)
  checkSegment(kind, 'name', name)
  return { name, namespace: namespaceOf(kind, namespace, namespaceDefault) }
}

/** Splits `namespace/name`. A key with other parts is refused: it would name a different object. */
function partsOfKey(kind: Kind, key: string): { name: string; namespace?: string } {
  // Programs without TypeScript may pass any value; `checkSegment` refuses it.
  if (typeof key !== 'string' || !key.includes('/')) return { name: key }
  const [namespace = '', name = '', ...more] = key.split('/')
  const isCluster = kind.scope === 'Cluster'
  if (!isCluster && namespace !== '' && name !== '' && more.length === 0) return { namespace, name }
  throw new SetpointError(
    'CLIENT_MISUSED',
    `${JSON.stringify(key)} is not the key of a ${kind.kind}, which is ${isCluster ? 'cluster-scoped' : 'in a namespace'}`,
    {
      hint: isCluster
        ? 'write the name alone'
        : "write 'namespace/name', or the name alone for the namespace of the client",
    },
  )
}

/** The namespace of a request for a kind; empty for a cluster-scoped kind. */
export function namespaceOf(
  kind: Kind,
  namespace: string | undefined,
  namespaceDefault: string,
): string {
  if (kind.scope === 'Cluster') return ''
  const chosen = namespace ?? namespaceDefault
  checkSegment(kind, 'namespace', chosen)
  return chosen
}

/**
 * The path of a collection (without `name`) or of an object, optionally with a subresource.
 */
export function resourcePath(
  kind: Kind,
  { namespace, name = '', subresource = '' }: Partial<ObjectPlace> & { subresource?: string },
): string {
  const isPlaced = kind.scope !== 'Cluster' && namespace !== undefined && namespace !== ''
  if (isPlaced) checkSegment(kind, 'namespace', namespace)
  const parts = [
    kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`,
    ...(isPlaced ? ['namespaces', encodeURIComponent(namespace)] : []),
    kind.plural,
    ...(name === '' ? [] : [encodeURIComponent(name)]),
    ...(subresource === '' ? [] : [subresource]),
  ]
  return parts.join('/')
}

/** The object in messages: `Deployment default/web`. */
export function describeObject(
  kind: Kind,
  { namespace = '', name = '' }: { readonly [Field in keyof ObjectPlace]?: string | undefined },
): string {
  if (name === '') return `${kind.plural} in ${namespace === '' ? 'all namespaces' : namespace}`
  return `${kind.kind} ${namespace === '' ? '' : `${namespace}/`}${name}`
}

/** An empty name would turn a request for one object into one for all of them. */
function checkSegment(kind: Kind, what: string, value: unknown): void {
  if (typeof value === 'string' && value !== '' && !/^\.{1,2}$|[/%]/.test(value)) return
  throw new SetpointError(
    'CLIENT_MISUSED',
    `a ${kind.kind} has the ${what} ${JSON.stringify(value)}, which is not valid`,
    { hint: 'give the name as it is in metadata' },
  )
}
