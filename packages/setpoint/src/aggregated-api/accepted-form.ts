import { refusals } from './api-refusal.ts'

/** The form in which a client wants objects. */
export type AcceptedForm =
  | { readonly as: 'object' }
  | { readonly as: 'table'; readonly version: string }
  | { readonly as: 'metadata'; readonly version: string }

const metaGroup = 'meta.k8s.io'

/** The first form in an Accept header that this server can send; throws 406 without one. */
export function acceptedForm(accept: string | undefined): AcceptedForm {
  if (accept === undefined || accept.trim() === '') return { as: 'object' }
  for (const type of accept.split(',')) {
    const { media, parameters } = mediaType(type)
    if (!['application/json', 'application/*', '*/*'].includes(media)) continue
    const as = parameters.get('as')
    if (as === undefined) return { as: 'object' }
    const version = parameters.get('v') ?? ''
    if (parameters.get('g') !== metaGroup || !['v1', 'v1beta1'].includes(version)) continue
    if (as === 'Table') return { as: 'table', version }
    if (as.startsWith('PartialObjectMetadata')) return { as: 'metadata', version }
  }
  throw refusals.notAcceptable(['application/json'])
}

/** A media type and its parameters. */
export function mediaType(text: string): {
  readonly media: string
  readonly parameters: ReadonlyMap<string, string>
} {
  const [media = '', ...rest] = text.split(';').map((part) => part.trim())
  const parameters = rest.map((part) => {
    const [name = '', value = ''] = part.split('=')
    return [name.trim(), value.trim().replaceAll('"', '')] as const
  })
  return { media: media.toLowerCase(), parameters: new Map(parameters) }
}
