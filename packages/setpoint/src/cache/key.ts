/**
 * An object's name below its kind: `namespace/name`, or the bare name of a cluster-scoped object.
 */
export type Key = string

/** The key of an object, from its metadata or identity. */
export function keyOf({
  namespace,
  name,
}: {
  readonly namespace?: string | undefined
  readonly name: string
}): Key {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`
}

/** The parts of a key. */
export function partsOf(key: Key): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/')
  return slash === -1
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}
