import { misuse } from '../misuse.ts'

/** A proxy that requests go through, with its credentials apart from its address. */
export interface ProxyServer {
  /** Its address, without credentials. */
  readonly url: URL
  readonly isSecure: boolean
  /** Its address in words, for errors. */
  readonly name: string
  /** The value of `proxy-authorization`, when the address held credentials. */
  readonly authorization: string | undefined
}

/** Reads the address of a proxy. It may hold a password: no error shows any of it. */
export function proxyServer(text: string, what: string): ProxyServer {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw misuse(
      `the proxy of ${what} is not given as an absolute URL with http: or https:`,
      'give an address such as http://proxy.example:3128; other kinds of proxies are not supported',
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

/** The name and port of a server, as CONNECT and its `host` header want them. */
export function authorityOf(url: URL): string {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return `${url.hostname}:${port}`
}

/** What to do about a proxy that does not let a request through. */
export const proxyHint =
  'check the address of the proxy and its credentials, and whether it may reach the server'

/** How a proxy that was reached said no; both hosts speak with the same words. */
export function proxyRefusal(proxy: ProxyServer, target: URL, status: string): string {
  return `the proxy ${proxy.name} refused to connect to ${authorityOf(target)}: ${status}`
}

/** How a proxy that was not reached failed. */
export function proxyUnreachable(proxy: ProxyServer, why: string): string {
  return `the proxy ${proxy.name} could not be reached: ${why}`
}

function basicAuthorization({ username, password }: URL, what: string): string | undefined {
  if (username === '' && password === '') return undefined
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(pair).toString('base64')}`
  } catch {
    throw misuse(
      `the credentials of the proxy of ${what} are not encoded as a URL wants it`,
      'write special characters as %XX, a percent sign as %25',
    )
  }
}
