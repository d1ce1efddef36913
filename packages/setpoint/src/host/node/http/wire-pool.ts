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
import { WireConnection } from './wire-connection.ts'

/** The connections to one server with one set of TLS settings. */
interface Way {
  readonly url: URL
  readonly tls: TlsClientSettings
  readonly free: WireConnection[]
  /** Whether somebody will look for connections here. */
  isKept: boolean
  /** Reading authorities and keys costs more than a handshake. */
  context: SecureContext | undefined
  /** Makes the next handshake cheaper. */
  session: Buffer | undefined
}

const noSettings: TlsClientSettings = {}

/**
 * Connections that wait for their next request. A connection made with one client certificate must never carry a
 * request meant for another: they are kept apart by the content of their settings.
 */
export class WirePool {
  readonly #ways = new Map<string, Way>()
  /** The way of the last request: most go the same one. */
  #last: Way | undefined

  /** A connection that can be used at once, or a new one that is still connecting. */
  take(url: URL, tls: TlsClientSettings = noSettings): WireConnection {
    const way = this.#way(url, tls)
    const nowMs = performance.now()
    for (let free = way.free.pop(); free !== undefined; free = way.free.pop()) {
      // Servers give up connections that were idle for long, which is noticed too late.
      if (free.isOpen && nowMs - free.freeSinceMs < FREE_CONNECTION_MS_MAX) {
        free.isReused = true
        free.socket.ref()
        return free
      }
      free.socket.destroy()
    }
    return new WireConnection((read) => opened(way, read), way)
  }

  /** Puts a connection back whose exchange is over. */
  release(connection: WireConnection): void {
    const { free, isKept } = connection.home
    const isBusy = connection.socket.writableLength > 0
    if (!connection.isOpen || isBusy || free.length >= FREE_SOCKETS_MAX || !isKept) {
      connection.socket.destroy()
      return
    }
    connection.freeSinceMs = performance.now()
    // A program that has nothing else to do may end.
    connection.socket.unref()
    free.push(connection)
  }

  #way(url: URL, tls: TlsClientSettings): Way {
    if (this.#last?.url === url && this.#last.tls === tls) return this.#last
    this.#last = this.#find(url, tls)
    return this.#last
  }

  #find(url: URL, tls: TlsClientSettings): Way {
    const key = url.protocol === 'https:' ? `${url.host} ${tlsDigest(tls)}` : url.host
    let way = this.#ways.get(key)
    if (way === undefined) {
      way = { url, tls, free: [], isKept: true, context: undefined, session: undefined }
    } else this.#ways.delete(key)
    // The least recently used one goes first: rotating certificates bring new settings for ever.
    this.#ways.set(key, way)
    this.#evict()
    return way
  }

  #evict(): void {
    for (const [key, way] of this.#ways) {
      if (this.#ways.size <= AGENTS_MAX) return
      this.#ways.delete(key)
      way.isKept = false
      for (const { socket } of way.free.splice(0)) socket.destroy()
    }
  }
}

/** Begins to connect; throws when the key material cannot be read. */
function opened(way: Way, onread: OnReadOpts): Socket {
  const { url } = way
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  const isSecure = url.protocol === 'https:'
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const socket = isSecure
    ? openedTls(way, { host, port, onread })
    : connectTcp({ host, port, onread })
  if (isSecure) socket.on('session', (session: Buffer) => (way.session = session))
  socket.setNoDelay(true)
  socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS)
  return socket
}

function openedTls(
  way: Way,
  to: { readonly host: string; readonly port: number; readonly onread: OnReadOpts },
): Socket {
  const {
    ca,
    cert,
    key,
    servername = isIP(to.host) === 0 ? to.host : '',
    ...rest
  } = targetTls(way.tls)
  way.context ??= createSecureContext({ ca, cert, key })
  return connectTls({
    ...to,
    ...rest,
    servername,
    secureContext: way.context,
    ALPNProtocols: ['http/1.1'],
    ...(way.session === undefined ? {} : { session: way.session }),
  })
}
