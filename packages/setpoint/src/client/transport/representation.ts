import type { Kind } from '../../kinds/kind.ts'

/** The media type of Kubernetes' protobuf. */
export const protobufType = 'application/vnd.kubernetes.protobuf'

/** What a server is asked for when it shows objects of a kind; nothing in particular unless only a part is wanted. */
export function acceptHeaders(kind: Kind, shown: 'object' | 'list'): { accept?: string } {
  if (kind.part === undefined) return {}
  const form = shown === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata'
  return { accept: `application/json;${partOf(form)}` }
}

/** What somebody who reads protobuf, too, is asking for. A server may answer with either: the type of the answer says which it is. */
export const acceptProtobuf = `${protobufType},application/json`

/** The same for a watch. */
export function acceptProtobufWatch(kind: Kind): { accept: string } {
  if (kind.part === undefined) return { accept: `${protobufType};stream=watch,application/json` }
  const part = partOf('PartialObjectMetadata')
  return { accept: `${protobufType};stream=watch;${part},application/json;${part}` }
}

function partOf(form: string): string {
  return `as=${form};g=meta.k8s.io;v=v1`
}

/** Whether an answer is protobuf. */
export function isProtobuf(headers: Readonly<Record<string, string | undefined>>): boolean {
  return headers['content-type']?.startsWith(protobufType) === true
}

/** An object as its kind says it is: lists leave the identity out, and parts of objects have one of their own. */
export function withIdentity(kind: Kind, object: object): object {
  const { apiVersion, kind: name } = kind
  if (kind.part !== undefined) return { ...object, apiVersion, kind: name }
  return 'kind' in object ? object : { apiVersion, kind: name, ...object }
}
