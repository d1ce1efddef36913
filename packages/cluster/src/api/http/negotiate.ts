import { ApiError } from '../../status/index.ts'
import { parseAccept, type AcceptClause } from './accept.ts'

/** The encodings of answers. */
export type MediaFormat = 'json' | 'yaml' | 'protobuf'

/** The forms that a client can ask for instead of the object itself. */
type Transform = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

/** The negotiated form of an answer. */
export interface OutputMedia {
  readonly format: MediaFormat
  readonly transform: Transform | undefined
  /** The version of `meta.k8s.io` in which the client asked for the transform. */
  readonly metaVersion: string
  readonly isPretty: boolean
}

/** The forms that an endpoint can send. */
interface Offer {
  /** Custom resources support protobuf only for their metadata. */
  readonly hasProtobuf: boolean
  readonly allowsTransform: boolean
  /** Whether a real server's router rejects unknown media types here, with its own message. */
  readonly isRouted: boolean
  /** Whether the path can also be watched, which refusals mention. */
  readonly isCollection: boolean
}

/** The headers and the query of a request, which decide the form of its answer. */
interface Asked {
  readonly headers: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** The media types by format, in the order in which a wildcard tries them. */
export const mediaTypes: Readonly<Record<MediaFormat, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
}
const formats = Object.keys(mediaTypes) as MediaFormat[]

const metaVersions: ReadonlySet<string> = new Set(['v1', 'v1beta1'])

/** Chooses the form of the answer by the Accept header; 406 when no clause can be served. */
export function negotiate({ headers, query }: Asked, offer: Offer): OutputMedia {
  const accept = headers['accept'] ?? ''
  const isPretty = wantsPretty(headers, query)
  const plain = { format: 'json', transform: undefined, metaVersion: 'v1', isPretty } as const
  if (accept === '' || accept === '*/*' || accept === 'application/json') return plain
  if (offer.isRouted && !isRoutable(accept)) throw notRoutable(offer)
  for (const clause of parseAccept(accept)) {
    for (const format of formats) {
      const transform = isInRange(clause, format) ? transformOf(clause, format, offer) : undefined
      if (transform === undefined) continue
      const metaVersion = clause.params.get('v') ?? 'v1'
      const asksPretty = clause.params.get('pretty') === '1'
      return { format, metaVersion, isPretty: isPretty || asksPretty, ...transform }
    }
  }
  const offered = formats.map((format) => mediaTypes[format]).join(', ')
  const message = `only the following media types are accepted: ${offered}`
  throw new ApiError({ code: 406, reason: 'NotAcceptable', message })
}

const errorOffer = {
  hasProtobuf: true,
  allowsTransform: false,
  isRouted: false,
  isCollection: false,
} as const

/** The form of an error: never transformed, and JSON when the Accept header cannot be served. */
export function negotiateError(asked: Asked): OutputMedia {
  try {
    return negotiate(asked, errorOffer)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { format: 'json', transform: undefined, metaVersion: 'v1', isPretty: true }
  }
}

/** The encoding of aggregated discovery, if a clause asks for it. */
export function aggregatedFormat(accept: string): MediaFormat | undefined {
  for (const clause of parseAccept(accept)) {
    const { params } = clause
    const isAsked =
      params.get('as') === 'APIGroupDiscoveryList' &&
      params.get('g') === 'apidiscovery.k8s.io' &&
      params.get('v') === 'v2'
    const format = isAsked ? formats.find((each) => isInRange(clause, each)) : undefined
    if (format !== undefined) return format
  }
  return undefined
}

function isInRange({ type, subtype }: AcceptClause, format: MediaFormat): boolean {
  if (type === '*') return subtype === '*'
  return type === 'application' && (subtype === '*' || `${type}/${subtype}` === mediaTypes[format])
}

/** The transform of a clause in a format; `undefined` when the endpoint cannot serve it. */
function transformOf(
  { params }: AcceptClause,
  format: MediaFormat,
  offer: Offer,
): { readonly transform: Transform | undefined } | undefined {
  const stream = params.get('stream')
  if (stream !== undefined && (stream !== 'watch' || format === 'yaml')) return undefined
  const serverVersion = params.get('sv')
  if (serverVersion !== undefined && (serverVersion !== 'v1' || !offer.allowsTransform)) {
    return undefined
  }
  if (!params.has('as') && !params.has('g') && !params.has('v')) {
    return format === 'protobuf' && !offer.hasProtobuf ? undefined : { transform: undefined }
  }
  const isMeta = params.get('g') === 'meta.k8s.io' && metaVersions.has(params.get('v') ?? '')
  if (!offer.allowsTransform || !isMeta) return undefined
  switch (params.get('as')) {
    case 'Table':
      return format === 'protobuf' ? undefined : { transform: 'Table' }
    case 'PartialObjectMetadata':
      return { transform: 'PartialObjectMetadata' }
    case 'PartialObjectMetadataList':
      return { transform: 'PartialObjectMetadataList' }
    default:
      return undefined
  }
}

/** The router of built-in resources does not match `application/*`. */
export function isRoutable(accept: string): boolean {
  if (accept === '') return true
  return accept.split(',').some((part) => {
    const type = (part.split(';')[0] ?? '').trim()
    return type === '*/*' || formats.some((format) => mediaTypes[format] === type)
  })
}

function notRoutable({ isCollection }: Offer): ApiError {
  const streams: readonly MediaFormat[] = isCollection ? ['json', 'protobuf'] : []
  const all = [
    ...formats.map((format) => mediaTypes[format]),
    ...streams.map((format) => `${mediaTypes[format]};stream=watch`),
  ]
  const message = `406: Not Acceptable\n\nAvailable representations: ${all.join(', ')}`
  return new ApiError({ code: 406, reason: 'NotAcceptable', message, details: {} })
}

const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])

function wantsPretty(headers: Readonly<Record<string, string>>, query: URLSearchParams): boolean {
  const asked = query.get('pretty') ?? ''
  if (asked !== '') return trueTexts.has(asked)
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '')
}
