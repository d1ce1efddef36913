import { SetpointError } from '../../errors/index.ts'
import type { Environment } from '../../host/index.ts'
import { isReachedDirectly } from './no-proxy.ts'

/**
 * The proxy that a kubeconfig names for a cluster. As in kubectl it takes precedence over the
 * environment, even for servers on this machine.
 */
export function proxyFromKubeconfig(proxyUrl: string, contextName: string): string {
  return checked(proxyUrl, `proxy-url of the cluster of the context ${contextName}`)
}

/**
 * The proxy that the environment names for a server: `HTTPS_PROXY`, or `HTTP_PROXY` for a server
 * without TLS, in upper or lower case, unless `NO_PROXY` exempts the server. Without a scheme it is
 * an `http:` proxy.
 */
export function proxyFromEnvironment(host: Environment, server: string): string | undefined {
  if (!URL.canParse(server)) return undefined
  const url = new URL(server)
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxy = fromEither(host, name)
  if (proxy === '' || isReachedDirectly(url, fromEither(host, 'NO_PROXY'))) return undefined
  if (name === 'HTTP_PROXY' && (host.env('REQUEST_METHOD') ?? '') !== '') {
    throw unusable(`${name} is not used in a CGI program, because a request header could set it`)
  }
  return checked(hasScheme(proxy) ? proxy : `http://${proxy}`, name)
}

/** Whether an address starts with a scheme such as `https://`. */
export function hasScheme(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address)
}

function fromEither(host: Environment, name: string): string {
  const upper = host.env(name) ?? ''
  return upper === '' ? (host.env(name.toLowerCase()) ?? '') : upper
}

/** The value may contain a password: messages contain only its scheme. */
function checked(proxy: string, where: string): string {
  if (!URL.canParse(proxy)) throw unusable(`${where} is not a URL`)
  const { protocol } = new URL(proxy)
  if (protocol === 'http:' || protocol === 'https:') return proxy
  throw unusable(`${where} names a ${protocol} proxy, which is not supported`)
}

function unusable(message: string): SetpointError {
  return new SetpointError('CONNECTION_INVALID', message, {
    hint: 'write the proxy as http://name:port or https://name:port, or exempt the server in NO_PROXY',
  })
}
