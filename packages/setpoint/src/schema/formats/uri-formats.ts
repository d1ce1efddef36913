/** The formats `uri` and `email`, and the part of Go's URL parser that webhook addresses need. */
import { goQuote } from '../go/go-print.ts'
import { isIpv4, isIpv6 } from './address-formats.ts'

/** A URL as Go's `net/url` splits it. */
interface GoUrl {
  readonly scheme: string
  readonly user: string | undefined
  readonly host: string
  /** The path with its escapes. */
  readonly path: string
  readonly query: string
  readonly fragment: string
}

/** Splits a URL, or returns Go's error message. */
export function parseGoUrl(text: string): GoUrl | { readonly problem: string } {
  const at = text.indexOf('#')
  const [beforeFragment, fragment] =
    at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  const parsed = parseUrl(beforeFragment, false)
  const result = typeof parsed === 'string' ? parsed : (escapeProblem(fragment) ?? parsed)
  if (typeof result === 'string') return { problem: `parse ${goQuote(text)}: ${result}` }
  return { ...result, fragment }
}

/** `uri`: an absolute URL, or an absolute path; what Go's `ParseRequestURI` accepts. */
export function isRequestUri(text: string): boolean {
  return typeof parseUrl(text, true) !== 'string'
}

/** Go's message about a text that is not an absolute URL or path. */
export function requestUriProblem(text: string): string | undefined {
  const parsed = parseUrl(text, true)
  return typeof parsed === 'string' ? `parse ${goQuote(text)}: ${parsed}` : undefined
}

function parseUrl(text: string, isRequest: boolean): Omit<GoUrl, 'fragment'> | string {
  if (/[\0-\x1f\x7f]/.test(text)) return 'net/url: invalid control character in URL'
  if (text === '' && isRequest) return 'empty url'
  if (text === '*') return { scheme: '', user: undefined, host: '', path: '*', query: '' }
  const scheme = readScheme(text)
  if (scheme === undefined) return 'missing protocol scheme'
  const afterScheme = scheme === '' ? text : text.slice(scheme.length + 1)
  const [rest = '', ...queryParts] = afterScheme.split('?')
  const parts = {
    scheme: scheme.toLowerCase(),
    user: undefined,
    host: '',
    path: '',
    query: queryParts.join('?'),
  }
  if (!rest.startsWith('/')) {
    if (scheme !== '') return parts
    if (isRequest) return 'invalid URI for request'
    const colon = rest.indexOf(':')
    const slash = rest.indexOf('/')
    if (colon !== -1 && (slash === -1 || colon < slash)) {
      return 'first path segment in URL cannot contain colon'
    }
  }
  const hasAuthority =
    rest.startsWith('//') && (scheme !== '' || (!isRequest && !rest.startsWith('///')))
  const path = hasAuthority ? rest.slice(2).replace(/^[^/]*/, '') : rest
  const badEscape = escapeProblem(path)
  if (badEscape !== undefined) return badEscape
  if (!hasAuthority) return { ...parts, path }
  const authority = parseAuthority(rest.slice(2).split('/')[0] ?? '')
  return typeof authority === 'string' ? authority : { ...parts, path, ...authority }
}

/** The scheme, empty when there is none, `undefined` when the text starts with a colon. */
function readScheme(text: string): string | undefined {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)
  if (match !== null) return match[1]
  return text.startsWith(':') ? undefined : ''
}

function parseAuthority(authority: string): { user: string | undefined; host: string } | string {
  const at = authority.lastIndexOf('@')
  const user = at === -1 ? undefined : authority.slice(0, at)
  const host = authority.slice(at + 1)
  if (user !== undefined && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) {
    return 'net/url: invalid userinfo'
  }
  return escapeProblem(user ?? '') ?? hostProblem(host) ?? { user, host }
}

/** A percent sign that does not start an escape. */
function escapeProblem(text: string): string | undefined {
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/su.exec(text)?.[0]
  return bad === undefined ? undefined : `invalid URL escape ${JSON.stringify(bad)}`
}

function hostProblem(host: string): string | undefined {
  const isLiteral = host.startsWith('[')
  if (isLiteral && !host.includes(']')) return "missing ']' in host"
  const port = isLiteral ? host.slice(host.indexOf(']') + 1) : host.slice(host.indexOf(':'))
  if ((isLiteral || host.includes(':')) && !/^(?::[0-9]*)?$/.test(port)) {
    return `invalid port ${JSON.stringify(port)} after host`
  }
  const badCharacter = /[\0-\x20\\^`{|}\x7f]|(?<=.)\[/s.exec(host)?.[0]
  if (badCharacter !== undefined) {
    return `invalid character ${JSON.stringify(badCharacter)} in host name`
  }
  // Only bytes beyond ASCII may be escaped in a host, and the percent sign of a zone.
  const badEscape = /%(?!25|[89A-Fa-f][0-9A-Fa-f]).{0,2}/su.exec(host)?.[0]
  return badEscape === undefined ? undefined : `invalid URL escape ${JSON.stringify(badEscape)}`
}

const atomCharacters = "A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10ffff}"
const atom = `[${atomCharacters}]+`
const dotAtom = `${atom}(?:\\.${atom})*`
const quotedString = '"(?:[^"\\\\\\r\\n]|\\\\[\\t -~\\u0080-\\u{10ffff}])*"'
const domainLiteral = '\\[[^\\[\\]\\\\]*\\]'
const address = `(?:${dotAtom}|${quotedString})@[ \\t]*(?:${dotAtom}|${domainLiteral})`
// Character by character: repeating `atom` itself would backtrack exponentially.
const displayName = `(?:[${atomCharacters}. \\t]|${quotedString})*`
const comments = '(?:[ \\t]|\\((?:[^()\\\\]|\\\\.)*\\))*'
const mailbox = new RegExp(`^(?:[ \\t]*${address}|${displayName}<${address}>)${comments}$`, 'u')

/** `email`: one RFC 5322 mailbox, with or without a display name. */
export function isEmail(text: string): boolean {
  if (!mailbox.test(text)) return false
  const literal = /@[ \t]*\[([^\]]*)\]/.exec(text.replace(/"(?:[^"\\]|\\.)*"/g, ''))?.[1]
  return literal === undefined || isIpv4(literal) || isIpv6(literal)
}
