import { invalidCallError } from '../invalid-call-error.ts'

/** A proxy for requests, with its credentials separate from its address. */
export interface ProxyAddress {
  /** Its address, without credentials. */
  readonly url: URL
  readonly isSecure: boolean
  /** Its address in error messages. */
  readonly name: string
  /** The value of `proxy-authorization`, when the address contains credentials. */
  readonly authorization: string | undefined
}

/** Parses the address of a proxy. It may contain a password: no error shows any of it. */
export function proxyAddress(text: string, what: string): ProxyAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalidCallError(
      `the proxy of ${what} is not an absolute URL with http: or https:`,
      'use an address such as http://proxy.example:3128; other kinds of proxies are not supported',
    )
  }
  const authorization = basicAuthorization(url, what)
  url.username = ''
  url.password = ''
  return {
    url,
    isSecure: url.protocol === 'https:',
    name: `${url.protocol}//${url.host}`,
    authorization,
  }
}

/** The name and port of a server, for CONNECT and its `host` header. */
export function authorityOf(url: URL): string {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return `${url.hostname}:${port}`
}

/** The hint for a proxy that does not let a request through. */
export const proxyHint =
  'check the address of the proxy and its credentials, and whether it may reach the server'

/** The refusal of a proxy; both hosts use the same text. */
export function proxyRefusal(proxy: ProxyAddress, target: URL, status: string): string {
  return `the proxy ${proxy.name} refused to connect to ${authorityOf(target)}: ${status}`
}

/** The failure to reach a proxy. */
export function proxyUnreachable(proxy: ProxyAddress, why: string): string {
  return `the proxy ${proxy.name} could not be reached: ${why}`
}

function basicAuthorization({ username, password }: URL, what: string): string | undefined {
  if (username === '' && password === '') return undefined
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(pair).toString('base64')}`
  } catch {
    throw invalidCallError(
      `the credentials of the proxy of ${what} are not URL-encoded`,
      'write special characters as %XX, a percent sign as %25',
    )
  }
}
