/** URLs: `url("https://example.com:80/").getHost()`. */
import { parseGoUrl, requestUriProblem } from '../../schema/formats/uri-formats.ts'
import { objectType } from '../types/cel-type.ts'
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import { ArrayList, CelError, CelObject, EntryMap, type CelResult } from '../values/cel-value.ts'

const urlType = objectType('kubernetes.URL')

/** A URL in parts, as Go's `net/url` splits it. */
class CelUrl extends CelObject {
  readonly type = urlType
  readonly text: string
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string

  constructor(text: string, parts: { scheme: string; host: string; path: string; query: string }) {
    super()
    this.text = text
    this.scheme = parts.scheme
    this.host = parts.host
    this.path = parts.path
    this.query = parts.query
  }

  equals(other: CelObject): boolean {
    return other instanceof CelUrl && this.text === other.text
  }
}

function readUrl(text: string): CelUrl | CelError {
  const head = 'URL parse error during conversion from string: '
  const requestProblem = requestUriProblem(text)
  if (requestProblem !== undefined) return new CelError(head + requestProblem)
  const parsed = parseGoUrl(text)
  if ('problem' in parsed) return new CelError(head + parsed.problem)
  const { scheme, host, path, query } = parsed
  return new CelUrl(text, { scheme, host, path, query })
}

function hostname(host: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(host)?.[1]
  if (bracketed !== undefined) return bracketed
  return host.replace(/:\d*$/, '')
}

function port(host: string): string {
  return /:(\d*)$/.exec(host.replace(/^\[[^\]]*\]/, ''))?.[1] ?? ''
}

function unescape(text: string): string | undefined {
  const spaced = text.replaceAll('+', ' ')
  if (/%(?![0-9A-Fa-f]{2})/.test(spaced)) return undefined
  const bytes: number[] = []
  for (const part of spaced.match(/%[0-9A-Fa-f]{2}|[^%]+/gu) ?? []) {
    if (part.startsWith('%')) bytes.push(Number.parseInt(part.slice(1), 16))
    else bytes.push(...new TextEncoder().encode(part))
  }
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

/** The values of each key of a query; invalid parts are left out. */
function readQuery(query: string): CelResult {
  const values = new Map<string, string[]>()
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const equals = pair.indexOf('=')
    const key = unescape(equals < 0 ? pair : pair.slice(0, equals))
    const value = unescape(equals < 0 ? '' : pair.slice(equals + 1))
    if (key === undefined || value === undefined) continue
    values.set(key, [...(values.get(key) ?? []), value])
  }
  const map = new EntryMap()
  for (const [key, texts] of values) map.set(key, new ArrayList(texts))
  return map
}

const asUrl = (value: unknown): CelUrl => value as CelUrl

/** The functions of URLs. */
export const urls: readonly FunctionDeclaration[] = declare({
  url: [['string_to_url(string): kubernetes.URL', (text) => readUrl(text as string)]],
  isURL: [
    ['is_url_string(string): bool', (text) => requestUriProblem(text as string) === undefined],
  ],
  getScheme: [['.url_get_scheme(kubernetes.URL): string', (url) => asUrl(url).scheme]],
  getHost: [['.url_get_host(kubernetes.URL): string', (url) => asUrl(url).host]],
  getHostname: [['.url_get_hostname(kubernetes.URL): string', (url) => hostname(asUrl(url).host)]],
  getPort: [['.url_get_port(kubernetes.URL): string', (url) => port(asUrl(url).host)]],
  getEscapedPath: [['.url_get_escaped_path(kubernetes.URL): string', (url) => asUrl(url).path]],
  getQuery: [
    [
      '.url_get_query(kubernetes.URL): map(string, list(string))',
      (url) => readQuery(asUrl(url).query),
    ],
  ],
})
