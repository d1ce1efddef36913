import { delayFrom } from '../delay.ts'
import type { HttpPayload, HttpRequest, TlsClientSettings } from './http.ts'
import { CONNECT_TIMEOUT_MS_DEFAULT } from '../limits.ts'
import { asksForUpgrade, checkPayload, framedHeaders, type SentHeaders } from './message.ts'
import { invalidCallError } from '../invalid-call-error.ts'
import { describeRequest, networkError } from './network-error.ts'
import { abortedError, checkSignal } from '../on-abort.ts'
import { type ProxyAddress, proxyAddress } from './proxy-address.ts'
import { type RequestUrl, requestUrl } from './request-url.ts'

/** A valid request with its defaults and its headers as sent. */
export interface SendableRequest {
  /** Describes the request in errors. */
  readonly what: string
  readonly method: string
  /** The server to connect to. */
  readonly url: URL
  /** The target in the first line: the path, or the whole URL for a proxy. */
  readonly target: string
  readonly headers: SentHeaders
  readonly body: HttpPayload | undefined
  /** Whether it asks for another protocol: its body is sent when the server has switched to it. */
  readonly isUpgrade: boolean
  readonly signal: AbortSignal | undefined
  readonly tls: TlsClientSettings | undefined
  readonly connectTimeoutMs: number
  readonly timeoutMs: number
  readonly timeoutOf: 'head' | 'end'
  readonly reusesBuffers: boolean
  readonly beforeSend: (() => void) | undefined
  readonly proxy: ProxyAddress | undefined
}

/**
 * Validates a request and copies its parts, before anything is sent: errors are the same on every
 * host, and the caller may change its objects afterwards.
 */
export function sendableRequest(options: HttpRequest): SendableRequest {
  const { method, body, signal, tls } = options
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS_DEFAULT, timeoutMs = Infinity } = options
  const parsed = requestUrl(options.url)
  const what = describeRequest(method, parsed)
  const url = sendableUrl(parsed, what)
  if (!usualMethods.has(method) && (!methodForm.test(method) || method === 'CONNECT')) {
    throw invalidCallError(
      `the method of a request is ${JSON.stringify(method)}`,
      'use a method in upper case, such as GET; CONNECT is not supported',
    )
  }
  checkPayload(body)
  checkSignal(signal)
  const proxy = options.proxy === undefined ? undefined : proxyAddress(options.proxy, what)
  const isUpgrade = asksForUpgrade(options.headers)
  const framed = framedHeaders(options, !isUpgrade)
  const { target, headers } = addressed(url, framed, proxy)
  if (signal?.aborted) throw abortedError(what, signal)
  return {
    what,
    method,
    url: url.server,
    target,
    headers,
    body,
    isUpgrade,
    signal,
    tls,
    connectTimeoutMs: delayFrom(connectTimeoutMs, 'connectTimeoutMs'),
    timeoutMs: delayFrom(timeoutMs, 'timeoutMs'),
    timeoutOf: options.timeoutOf ?? 'end',
    reusesBuffers: options.reusesBuffers ?? false,
    beforeSend: options.beforeSend,
    proxy,
  }
}

const usualMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const methodForm = /^[A-Z][A-Z0-9!#$%&'*+.^_`|~-]*$/

/** An `http:` request through a proxy has the whole URL and the credentials of the proxy. */
function addressed(
  { server, path, query }: RequestUrl,
  headers: SentHeaders,
  proxy: ProxyAddress | undefined,
): Pick<SendableRequest, 'target' | 'headers'> {
  const target = path + query
  if (proxy === undefined || server.protocol === 'https:') return { target, headers }
  const { authorization } = proxy
  return {
    target: `${server.origin}${target}`,
    headers: {
      host: server.host,
      ...headers,
      ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
    },
  }
}

function sendableUrl(url: RequestUrl | undefined, what: string): RequestUrl {
  if (url?.server.protocol !== 'http:' && url?.server.protocol !== 'https:') {
    const why = 'the URL must be absolute, with http: or https:'
    throw networkError('NETWORK_CONNECT_FAILED', what, { why })
  }
  if (url.server.username !== '' || url.server.password !== '') {
    throw invalidCallError(
      `the URL of ${what} contains credentials, which would be logged`,
      'send them in the authorization header',
    )
  }
  return url
}
