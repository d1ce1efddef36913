import { createHash } from 'node:crypto'
import type { ServerResponse } from 'setpoint/host'
import { encodeJson } from '../../../codec/index.ts'
import type { ApiRequest, ApiServer } from '../../api-request.ts'
import { parseAccept } from '../../http/accept.ts'
import { isUnchanged } from '../../http/unchanged.ts'
import { documentVersion2 } from './document-version-2.ts'
import { encodeGnostic } from './encode-gnostic.ts'
import { remoteParts } from './remote-parts.ts'

/** A document in both encodings. */
interface Version2 {
  readonly revision: string
  readonly etag: string
  readonly json: string
  binary: Uint8Array | undefined
}

const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/** The types that a real server offers, the older name of protobuf included. */
const offered = [
  { subtype: 'json', type: 'application/json' },
  { subtype: 'com.github.proto-openapi.spec.v2.v1.0+protobuf', type: protobufType },
  { subtype: 'com.github.proto-openapi.spec.v2@v1.0+protobuf', type: protobufType },
] as const

/** The document of a server as it was last, made at the first request. */
const documents = new WeakMap<ApiServer, Version2>()

/** `/openapi/v2`, for older clients. */
export async function version2Response({ server, headers }: ApiRequest): Promise<ServerResponse> {
  const vary = { vary: 'Accept' }
  const type = chosenType(headers['accept'] ?? '')
  if (type === undefined) return { status: 406, headers: vary }
  const document = await currentDocument(server)
  const { etag } = document
  if (isUnchanged(headers, etag)) return { status: 304, headers: { etag, ...vary } }
  const isBinary = type === protobufType
  if (isBinary) document.binary ??= encodeGnostic(JSON.parse(document.json) as never)
  return {
    status: 200,
    headers: { etag, ...vary, 'content-type': type },
    body: isBinary ? document.binary : document.json,
  }
}

function chosenType(accept: string): string | undefined {
  for (const clause of parseAccept(accept === '' ? '*/*' : accept)) {
    const found = offered.find(
      ({ subtype }) =>
        (clause.type === 'application' || clause.type === '*') &&
        (clause.subtype === subtype || clause.subtype === '*'),
    )
    if (found !== undefined) return found.type
  }
  return undefined
}

async function currentDocument(server: ApiServer): Promise<Version2> {
  const { registry, aggregation } = server
  const revision = `${registry.revision} ${aggregation.documents.revision}`
  const known = documents.get(server)
  if (known?.revision === revision) return known
  const others = await remoteParts(aggregation)
  const json = encodeJson(documentVersion2(registry, others))
  const hash = createHash('sha512').update(json).digest('hex').toUpperCase()
  const document = { revision, etag: `"${hash}"`, json, binary: undefined }
  documents.set(server, document)
  return document
}
