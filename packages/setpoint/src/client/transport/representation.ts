import type { Kind } from '../../kinds/kind.ts'

/** The media type of Kubernetes' protobuf. */
export const protobufType = 'application/vnd.kubernetes.protobuf'

/** The accept header for objects of a kind; empty unless only their metadata is requested. */
export function acceptHeaders(kind: Kind, shown: 'object' | 'list'): { accept?: string } {
  if (kind.part === undefined) return {}
  const form = shown === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata'
  return { accept: `application/json;${partOf(form)}` }
}

/**
 * The accept header of a client that reads protobuf and JSON. The content type of the response says
 * which one it is.
 */
export const acceptProtobuf = `${protobufType},application/json`

/** The accept header of a watch by a client that reads protobuf and JSON. */
export function acceptProtobufWatch(kind: Kind): { accept: string } {
  if (kind.part === undefined) return { accept: `${protobufType};stream=watch,application/json` }
  const part = partOf('PartialObjectMetadata')
  return { accept: `${protobufType};stream=watch;${part},application/json;${part}` }
}

function partOf(form: string): string {
  return `as=${form};g=meta.k8s.io;v=v1`
}

/** Whether a response is protobuf. */
export function isProtobuf(headers: Readonly<Record<string, string | undefined>>): boolean {
  return headers['content-type']?.startsWith(protobufType) === true
}

/**
 * An object with its apiVersion and kind: lists omit them, and partial objects have different ones.
 */
export function withIdentity(kind: Kind, object: object): object {
  const { apiVersion, kind: name } = kind
  if (kind.part !== undefined) return { ...object, apiVersion, kind: name }
  return 'kind' in object ? object : { apiVersion, kind: name, ...object }
}
