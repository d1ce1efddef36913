import type { Kind } from '../kinds/kind.ts'

/** What a server is asked for when it shows objects of a kind; nothing in particular unless only a part is wanted. */
export function acceptHeaders(kind: Kind, shown: 'object' | 'list'): { accept?: string } {
  if (kind.part === undefined) return {}
  const form = shown === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata'
  return { accept: `application/json;as=${form};g=meta.k8s.io;v=v1` }
}

/** An object as its kind says it is: lists leave the identity out, and parts of objects have one of their own. */
export function withIdentity(kind: Kind, object: object): object {
  const { apiVersion, kind: name } = kind
  if (kind.part !== undefined) return { ...object, apiVersion, kind: name }
  return 'kind' in object ? object : { apiVersion, kind: name, ...object }
}
