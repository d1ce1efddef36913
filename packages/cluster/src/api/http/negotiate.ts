import { ApiError } from '../../status/index.ts'

/** The shapes a client may ask for instead of the object itself. */
type Transform = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

/** How an answer is to be written. */
export interface OutputMedia {
  readonly format: 'json' | 'yaml'
  readonly transform: Transform | undefined
  /** The version of `meta.k8s.io` the transform was asked in. */
  readonly metaVersion: string
  readonly isPretty: boolean
}

/** What an endpoint can send; custom resources have no protobuf. */
interface Offer {
  readonly isCustom: boolean
  readonly allowsTransform: boolean
  /** Whether the path could also be watched, which refusals mention. */
  readonly isCollection: boolean
}

interface Clause {
  readonly type: string
  readonly subtype: string
  readonly params: ReadonlyMap<string, string>
  readonly quality: number
}

const transforms: ReadonlySet<string> = new Set([
  'Table',
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
])
const metaVersions: ReadonlySet<string> = new Set(['v1', 'v1beta1'])

/** Chooses the form of the answer by the Accept header; 406 when there is none we can send. */
export function negotiate(
  headers: Readonly<Record<string, string>>,
  query: URLSearchParams,
  offer: Offer,
): OutputMedia {
  const accept = headers['accept'] ?? ''
  const isPretty = wantsPretty(headers, query)
  const plain = { format: 'json', transform: undefined, metaVersion: 'v1', isPretty } as const
  if (accept === '' || accept === '*/*' || accept === 'application/json') return plain
  const clauses = parseAccept(accept)
  for (const clause of clauses) {
    const format = formatOf(clause, offer)
    if (format === undefined) continue
    const transform = clause.params.get('as')
    if (transform === undefined) return { ...plain, format }
    const metaVersion = clause.params.get('v') ?? ''
    const isKnown =
      offer.allowsTransform &&
      transforms.has(transform) &&
      clause.params.get('g') === 'meta.k8s.io' &&
      metaVersions.has(metaVersion)
    if (isKnown) return { format, transform: transform as Transform, metaVersion, isPretty }
  }
  throw notAcceptable(clauses, offer)
}

/** Splits an Accept header, best quality first; equal ones keep their order. */
export function parseAccept(header: string): Clause[] {
  const clauses = header.split(',').flatMap((part) => {
    const [range = '', ...rest] = part.split(';').map((piece) => piece.trim())
    const [type = '', subtype = ''] = range === '*' ? ['*', '*'] : range.split('/')
    if (type === '' || subtype === '') return []
    const params = new Map(
      rest.map((piece) => {
        const equals = piece.indexOf('=')
        const name = equals === -1 ? piece : piece.slice(0, equals)
        return [name, equals === -1 ? '' : piece.slice(equals + 1).replace(/^"|"$/g, '')]
      }),
    )
    const quality = Number(params.get('q') ?? '1')
    return [{ type, subtype, params, quality: Number.isNaN(quality) ? 0 : quality }]
  })
  return clauses.sort((a, b) => b.quality - a.quality)
}

function formatOf({ type, subtype }: Clause, { isCustom }: Offer): 'json' | 'yaml' | undefined {
  if (type === '*' && subtype === '*') return 'json'
  if (type !== 'application') return undefined
  // The router of built-in resources does not know half a wildcard.
  if (subtype === 'json' || (subtype === '*' && isCustom)) return 'json'
  return subtype === 'yaml' ? 'yaml' : undefined
}

/**
 * A real server has two doors with words of their own: the router, which knows plain media types, and
 * the encoder behind it. We cannot write protobuf, which a real one can, and say so the same way.
 */
function notAcceptable(clauses: readonly Clause[], offer: Offer): ApiError {
  const { isCustom, isCollection } = offer
  const isRoutable = clauses.some((clause) => formatOf(clause, offer) !== undefined)
  const types = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
  if (isRoutable || isCustom) {
    const message = `only the following media types are accepted: ${types.join(', ')}`
    return new ApiError({ code: 406, reason: 'NotAcceptable', message })
  }
  const streams = isCollection ? ['application/json', 'application/vnd.kubernetes.protobuf'] : []
  const all = [...types, ...streams.map((type) => `${type};stream=watch`)]
  const message = `406: Not Acceptable\n\nAvailable representations: ${all.join(', ')}`
  return new ApiError({ code: 406, reason: 'NotAcceptable', message, details: {} })
}

function wantsPretty(headers: Readonly<Record<string, string>>, query: URLSearchParams): boolean {
  const asked = query.get('pretty')
  if (asked !== null) return asked !== 'false' && asked !== '0'
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '')
}
