import type { Choices } from './choices.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

const accepts = [
  '*/*',
  'application/*',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  `application/vnd.kubernetes.protobuf,application/json`,
  'application/vnd.kubernetes.protobuf;q=0.1,application/json;q=0.9',
  'application/json;q=0',
  'application/json;q=x',
  'application/cbor',
  'text/plain',
  'text/html,application/xml;q=0.9,*/*;q=0.8',
  'application/json;pretty=1',
  'application/json;stream=watch',
  'application/json;charset=utf-8',
  'application/json;as=Table',
  'application/json;as=Unknown;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v2;g=meta.k8s.io',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/yaml;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  `${table},application/json`,
  table,
  partial,
  partialList,
  ',',
  'x',
] as const

const contentTypes = [
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'application/JSON',
  'application/yaml',
  'text/json',
  'application/xml',
  'application/json;',
  'application/json, application/json',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'x',
  '',
] as const

const others: readonly Readonly<Record<string, string>>[] = [
  { 'if-match': '"x"' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'Wed, 21 Oct 2015 07:28:00 GMT' },
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'identity;q=0' },
  { 'user-agent': '' },
  { 'user-agent': 'a/b/c (d) e' },
  { 'x-http-method-override': 'DELETE' },
  { range: 'bytes=0-1' },
  { authorization: 'Bearer viewer-token' },
  { authorization: 'Bearer x' },
  { authorization: 'Basic eDp5' },
  { authorization: '' },
  { 'impersonate-user': 'x' },
  { 'impersonate-user': 'x', 'impersonate-group': 'system:masters' },
  { 'impersonate-user': 'system:serviceaccount:{ns}:default' },
  { 'impersonate-group': 'x' },
  { 'impersonate-user': 'x', 'impersonate-uid': 'y', 'impersonate-extra-a': 'b' },
  { 'impersonate-user': 'system:anonymous' },
  { 'impersonate-user': 'system:node:n', 'impersonate-group': 'system:nodes' },
]

/** Random headers of a request that has no body. */
export function readHeaders(choices: Choices): Record<string, string> {
  if (choices.isLikely(0.7)) return { accept: choices.one(accepts) }
  return { ...choices.one(others) }
}

/** Random headers of a request that has a body. */
export function bodyHeaders(choices: Choices): Record<string, string> {
  if (choices.isLikely(0.5)) return { 'content-type': choices.one(contentTypes) }
  return readHeaders(choices)
}
