/** How a server of an aggregated API recognises the API server and its users. Pure. */
import type { HttpHeaders, PeerCertificate } from '../../host/index.ts'
import type { ApiUser } from '../declare/served-types.ts'

/** The content of the ConfigMap `extension-apiserver-authentication`. */
export interface FrontProxySettings {
  /** The authority of the certificate of API servers, as PEM text. */
  readonly clientCa: string
  /** The names of that certificate; empty means that all are allowed. */
  readonly allowedNames: readonly string[]
  readonly userHeaders: readonly string[]
  readonly uidHeaders: readonly string[]
  readonly groupHeaders: readonly string[]
  readonly extraPrefixes: readonly string[]
}

/** Reads the ConfigMap; `undefined` if API servers do not act as a front proxy. */
export function frontProxySettings(
  data: Readonly<Record<string, string>> = {},
): FrontProxySettings | undefined {
  const clientCa = data['requestheader-client-ca-file'] ?? ''
  if (clientCa === '') return undefined
  const names = (key: string): string[] => textsIn(data[key]).map((name) => name.toLowerCase())
  return {
    clientCa,
    allowedNames: textsIn(data['requestheader-allowed-names']),
    userHeaders: names('requestheader-username-headers'),
    uidHeaders: names('requestheader-uid-headers'),
    groupHeaders: names('requestheader-group-headers'),
    extraPrefixes: names('requestheader-extra-headers-prefix'),
  }
}

function textsIn(json: string | undefined): string[] {
  if (json === undefined || json === '') return []
  const list: unknown = JSON.parse(json)
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}

/** The part of a request by which its user is known. */
interface ProxiedRequest {
  readonly headers: HttpHeaders
  readonly headerValues?: ((name: string) => readonly string[]) | undefined
  readonly peer: { readonly certificate?: PeerCertificate }
}

/**
 * The user in the headers of a request, which count only with a verified certificate of an API
 * server; `undefined` without one.
 */
export function frontProxyUser(
  settings: FrontProxySettings | undefined,
  { headers, headerValues, peer }: ProxiedRequest,
): ApiUser | undefined {
  const { certificate } = peer
  if (settings === undefined || certificate?.verified !== true) return undefined
  const { allowedNames } = settings
  const names = certificate.subject['CN'] ?? []
  if (allowedNames.length > 0 && !names.some((name) => allowedNames.includes(name))) {
    return undefined
  }
  // A value may contain a comma, so that joined values would be other groups.
  const valuesOf = (name: string): string[] =>
    (headerValues?.(name) ?? [headers[name] ?? []].flat()).map(utf8Text)
  const firstOf = (all: readonly string[]): string | undefined =>
    all.flatMap(valuesOf).find((value) => value !== '')
  const username = firstOf(settings.userHeaders)
  if (username === undefined) return undefined
  const extra: Record<string, string[]> = {}
  for (const header of Object.keys(headers)) {
    const prefix = settings.extraPrefixes.find((one) => header.startsWith(one))
    if (prefix !== undefined) extra[decodedKey(header.slice(prefix.length))] = valuesOf(header)
  }
  const groups = settings.groupHeaders.flatMap(valuesOf)
  return { username, uid: firstOf(settings.uidHeaders), groups, extra }
}

/** Header values are bytes: API servers send UTF-8. */
function utf8Text(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8')
}

/** A key with characters that header names cannot have is percent-encoded. */
function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key).toLowerCase()
  } catch (error) {
    if (error instanceof URIError) return key
    throw error
  }
}
