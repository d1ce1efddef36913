import type { ListenOptions } from './http.ts'

/**
 * The URL for clients on the same machine; never with the wildcard address on which a server
 * listens.
 */
export function serverUrl(options: ListenOptions, port: number): string {
  const { hostname = '127.0.0.1', tls } = options
  const reachable =
    hostname === '0.0.0.0' ? '127.0.0.1' : hostname === '::' ? '[::1]' : bracketed(hostname)
  return `${tls === undefined ? 'http' : 'https'}://${reachable}:${port}`
}

function bracketed(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}
