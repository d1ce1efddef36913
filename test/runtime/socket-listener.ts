/** The listener of a proxy on real sockets: TLS on the loopback interface, by Node's own server. */
import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { HttpHeaders } from 'setpoint/host'
import { serverOne } from '../../packages/setpoint/src/host/testdata/certificates.ts'
import type { ProxyListener, ProxyResponse, HandleRequest } from './proxied-request.ts'

/** The sockets below TLS, which are the ones that can be reset, by the port of their client. */
type Sockets = Map<number, Socket>

/** Listens on a free port, and after `reopen` on the same one. */
export async function openSocketListener(handle: HandleRequest): Promise<ProxyListener> {
  const sockets: Sockets = new Map()
  let server = await listening(0, { handle, sockets })
  const { port } = server.address() as AddressInfo
  return {
    port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets.values()) socket.resetAndDestroy()
      await closed
    },
    reopen: async () => {
      server = await listening(port, { handle, sockets })
    },
  }
}

async function listening(
  port: number,
  { handle, sockets }: { readonly handle: HandleRequest; readonly sockets: Sockets },
): Promise<Server> {
  const server = createServer({ ...serverOne }, (request, response) => {
    void readWhole(request).then(
      (body) => handle(requestOf(request, body), replyOn(response, sockets)),
      () => undefined,
    )
  })
  server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0
    sockets.set(port, socket)
    socket.on('close', () => sockets.delete(port)).on('error', () => undefined)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return server
}

function requestOf(request: IncomingMessage, body: Uint8Array): Parameters<HandleRequest>[0] {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return { method: request.method ?? '', target: request.url ?? '', headers, body }
}

async function readWhole(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

function replyOn(response: ServerResponse, sockets: Sockets): ProxyResponse {
  const clientClosed = new AbortController()
  const { socket } = response
  response.on('close', () => clientClosed.abort()).on('error', () => undefined)
  return {
    clientClosed: clientClosed.signal,
    head: (status: number, headers: HttpHeaders) => {
      response.writeHead(status, headers)
      response.flushHeaders()
    },
    write: (chunk) => {
      if (!response.writableEnded) response.write(chunk)
    },
    end: () => {
      if (!response.writableEnded) response.end()
    },
    // Written data is sent first; then the connection ends without the final chunk.
    closeEarly: () => socket?.end(),
    reset: () => sockets.get(socket?.remotePort ?? 0)?.resetAndDestroy(),
  }
}
