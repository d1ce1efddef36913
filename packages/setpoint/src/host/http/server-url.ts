import type { ListenOptions } from './http.ts'

/** Where a client on the same machine reaches a server: not at the wildcard it listens on. */
export function serverUrl(options: ListenOptions, port: number): string {
  const { hostname = '127.0.0.1', tls } = options
  const reachable =
    hostname === '0.0.0.0' ? '127.0.0.1' : hostname === '::' ? '[::1]' : bracketed(hostname)
  return `${tls === undefined ? 'http' : 'https'}://${reachable}:${port}`
}

function bracketed(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}
