import { connect, createServer, type Socket } from 'node:net'
import { SetpointError } from '../../../errors/index.ts'
import { networkError } from '../../http/network-error.ts'
import type { Forwarder, SocketAddress, Sockets } from '../../sockets.ts'

/** TCP of the machine. */
export const nodeSockets: Sockets = { probeTcp, forward }

function probeTcp({ hostname, port }: SocketAddress, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port, timeout: timeoutMs })
    const fail = (why: string, cause?: unknown): void => {
      socket.destroy()
      const what = `connecting to ${hostname}:${port}`
      reject(networkError('NETWORK_CONNECT_FAILED', what, { why, cause }))
    }
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('timeout', () => fail(`no response within ${timeoutMs} ms`))
    socket.once('error', (error) => fail(error.message, error))
  })
}

function forward(
  { hostname, port }: SocketAddress,
  target: () => SocketAddress | undefined,
): Promise<Forwarder> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const to = target()
    if (to === undefined) {
      client.destroy()
      return
    }
    const upstream = connect({ host: to.hostname, port: to.port, allowHalfOpen: true })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        if (socket.destroyed && !socket.readableEnded) other.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(`${hostname}:${port}`, error)))
    server.listen({ host: hostname, port }, () => resolve({ close }))
  })
}

function listenFailure(address: string, cause: NodeJS.ErrnoException): SetpointError {
  const isTaken = cause.code === 'EADDRINUSE'
  return new SetpointError(
    isTaken ? 'NETWORK_ADDRESS_IN_USE' : 'NETWORK_CONNECT_FAILED',
    `could not listen on ${address}: ${cause.message}`,
    { cause },
  )
}
