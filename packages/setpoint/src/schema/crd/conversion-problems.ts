/** `spec.conversion`: the strategy, and the address of its webhook. */
import type { CrdConversion, CrdWebhookClientConfig } from './crd-manifest.ts'
import { forbidden, invalid, notSupported, required, type FieldError } from '../field-error.ts'
import { dns1035LabelProblems, dnsSubdomainProblems } from '../name-rules.ts'
import { parseGoUrl } from '../formats/uri-formats.ts'
import type { JsonValue } from '../structural-schema.ts'

const path = 'spec.conversion'
const strategies = ['None', 'Webhook']

/** The problems of the conversion; an absent one means None. */
export function conversionProblems(conversion: CrdConversion | undefined): FieldError[] {
  if (conversion === undefined) return []
  const { strategy = '', webhook } = conversion as Partial<CrdConversion>
  const errors: FieldError[] = []
  if (strategy === '') errors.push(required(`${path}.strategy`))
  else if (!strategies.includes(strategy)) {
    errors.push(notSupported(`${path}.strategy`, strategy, strategies))
  }
  const client = webhook?.clientConfig
  const versions = webhook?.conversionReviewVersions ?? []
  if (strategy === 'Webhook') {
    return [...errors, ...clientProblems(client), ...reviewVersionProblems(versions)]
  }
  const detail = 'should not be set when strategy is not set to Webhook'
  if (client !== undefined) errors.push(forbidden(`${path}.webhookClientConfig`, detail))
  if (versions.length > 0) errors.push(forbidden(`${path}.conversionReviewVersions`, detail))
  return errors
}

function clientProblems(client: CrdWebhookClientConfig | undefined): FieldError[] {
  const field = `${path}.webhookClientConfig`
  if (client === undefined) return [required(field, 'required when strategy is set to Webhook')]
  const { url, service } = client
  if (url !== undefined && service === undefined) return webhookUrlProblems(`${field}.url`, url)
  if (url === undefined && service !== undefined)
    return serviceProblems(`${field}.service`, service)
  return [required(field, 'exactly one of url or service is required')]
}

/** The errors of the address of a webhook: only `https` with a host, without other parts. */
export function webhookUrlProblems(field: string, text: string): FieldError[] {
  const form = '; desired format: https://host[/path]'
  const url = parseGoUrl(text)
  if ('problem' in url) return [required(field, `url must be a valid URL: ${url.problem}${form}`)]
  const { scheme, host, user, fragment, query } = url
  const errors: FieldError[] = []
  if (scheme !== 'https') {
    errors.push(invalid(field, scheme, `'https' is the only allowed URL scheme${form}`))
  }
  if (host === '') errors.push(invalid(field, host, `host must be specified${form}`))
  if (user !== undefined) {
    errors.push(invalid(field, user, 'user information is not permitted in the URL'))
  }
  if (fragment !== '')
    errors.push(invalid(field, fragment, 'fragments are not permitted in the URL'))
  if (query !== '')
    errors.push(invalid(field, query, 'query parameters are not permitted in the URL'))
  return errors
}

type Service = NonNullable<CrdWebhookClientConfig['service']>

function serviceProblems(field: string, service: Service): FieldError[] {
  const { name = '', namespace = '', port = 443, path: urlPath = '' } = service as Partial<Service>
  const errors: FieldError[] = []
  // The server swaps the two: a missing namespace is reported at the name, and the reverse.
  if (namespace === '') errors.push(required(`${field}.name`))
  if (name === '') errors.push(required(`${field}.namespace`))
  if (port < 1 || port > 65_535) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive'
    errors.push(invalid(`${field}.port`, port, detail))
  }
  return [...errors, ...urlPathProblems(`${field}.path`, urlPath)]
}

function urlPathProblems(field: string, text: string): FieldError[] {
  if (text === '' || text === '/') return []
  if (text === '//') return [invalid(field, text, 'segment[0] may not be empty')]
  const errors = text.startsWith('/') ? [] : [invalid(field, text, "must start with a '/'")]
  const segments = text.slice(1).replace(/\/$/, '').split('/')
  for (const [i, segment] of segments.entries()) {
    if (segment === '') errors.push(invalid(field, text, `segment[${i}] may not be empty`))
    else {
      for (const problem of dnsSubdomainProblems(segment)) {
        errors.push(invalid(field, text, `segment[${i}]: ${problem}`))
      }
    }
  }
  return errors
}

function reviewVersionProblems(versions: readonly string[]): FieldError[] {
  const field = `${path}.conversionReviewVersions`
  if (versions.length === 0) return [required(field)]
  const seen = new Set<string>()
  const errors = versions.flatMap((version, index) => {
    const at = `${field}[${index}]`
    if (seen.has(version)) return [invalid(at, version, 'duplicate version')]
    seen.add(version)
    return dns1035LabelProblems(version).map((problem) => invalid(at, version, problem))
  })
  if (versions.includes('v1') || versions.includes('v1beta1')) return errors
  const detail = 'must include at least one of v1, v1beta1'
  return [...errors, invalid(field, [...versions] as JsonValue, detail)]
}
