import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import type { TlsClientSettings } from '../../http/http.ts'
import {
  AGENTS_MAX,
  FREE_CONNECTION_MS_MAX,
  FREE_SOCKETS_MAX,
  TCP_KEEP_ALIVE_MS,
} from '../../limits.ts'
import { tlsDigest } from './tls-digest.ts'
import { targetTls } from './tls-settings.ts'
import { Http1Connection } from './http1-connection.ts'

/** The connections to one server with one set of TLS settings. */
interface Route {
  readonly url: URL
  readonly tls: TlsClientSettings
  readonly free: Http1Connection[]
  /** Whether the pool still uses this route. */
  isKept: boolean
  /** Parsing authorities and keys costs more than a handshake. */
  context: SecureContext | undefined
  /** Makes the next handshake cheaper. */
  session: Buffer | undefined
}

const noSettings: TlsClientSettings = {}

/**
 * Idle connections. A connection with one client certificate must never carry the request of
 * another: connections are separated by the content of their settings.
 */
export class Http1Pool {
  readonly #routes = new Map<string, Route>()
  /** The route of the last request: most requests use the same one. */
  #last: Route | undefined

  /** A connection that is ready, or a new one that is still connecting. */
  take(url: URL, tls: TlsClientSettings = noSettings): Http1Connection {
    const route = this.#routeOf(url, tls)
    const nowMs = performance.now()
    for (let free = route.free.pop(); free !== undefined; free = route.free.pop()) {
      // Servers close connections that were idle for a long time, and the client notices it too
      // late.
      if (free.isOpen && nowMs - free.freeSinceMs < FREE_CONNECTION_MS_MAX) {
        free.isReused = true
        free.socket.ref()
        return free
      }
      free.socket.destroy()
    }
    return new Http1Connection((read) => opened(route, read), route)
  }

  /** Puts a connection back after its exchange. */
  release(connection: Http1Connection): void {
    const { free, isKept } = connection.home
    const isBusy = connection.socket.writableLength > 0
    if (!connection.isOpen || isBusy || free.length >= FREE_SOCKETS_MAX || !isKept) {
      connection.socket.destroy()
      return
    }
    connection.freeSinceMs = performance.now()
    // An idle connection does not keep the process alive.
    connection.socket.unref()
    free.push(connection)
  }

  #routeOf(url: URL, tls: TlsClientSettings): Route {
    if (this.#last?.url === url && this.#last.tls === tls) return this.#last
    this.#last = this.#find(url, tls)
    return this.#last
  }

  #find(url: URL, tls: TlsClientSettings): Route {
    const key = url.protocol === 'https:' ? `${url.host} ${tlsDigest(tls)}` : url.host
    let route = this.#routes.get(key)
    if (route === undefined) {
      route = { url, tls, free: [], isKept: true, context: undefined, session: undefined }
    } else this.#routes.delete(key)
    // The least recently used route is dropped first: rotating certificates keep adding settings.
    this.#routes.set(key, route)
    this.#evict()
    return route
  }

  #evict(): void {
    for (const [key, route] of this.#routes) {
      if (this.#routes.size <= AGENTS_MAX) return
      this.#routes.delete(key)
      route.isKept = false
      for (const { socket } of route.free.splice(0)) socket.destroy()
    }
  }
}

/** Starts to connect; throws when the key material cannot be parsed. */
function opened(route: Route, onread: OnReadOpts): Socket {
  const { url } = route
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  const isSecure = url.protocol === 'https:'
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const socket = isSecure
    ? openedTls(route, { host, port, onread })
    : connectTcp({ host, port, onread })
  if (isSecure) socket.on('session', (session: Buffer) => (route.session = session))
  socket.setNoDelay(true)
  socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS)
  return socket
}

function openedTls(
  route: Route,
  to: { readonly host: string; readonly port: number; readonly onread: OnReadOpts },
): Socket {
  const {
    ca,
    cert,
    key,
    servername = isIP(to.host) === 0 ? to.host : '',
    ...rest
  } = targetTls(route.tls)
  route.context ??= createSecureContext({ ca, cert, key })
  return connectTls({
    ...to,
    ...rest,
    servername,
    secureContext: route.context,
    ALPNProtocols: ['http/1.1'],
    ...(route.session === undefined ? {} : { session: route.session }),
  })
}
