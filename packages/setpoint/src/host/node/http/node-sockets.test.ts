import { connect, createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { nodeSockets } from './node-sockets.ts'

const hostname = '127.0.0.1'

/** A server that echoes what it receives, with its name. */
async function echo(name: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => socket.write(`${name} ${data.toString()}`))
  })
  return listening(server)
}

async function listening(server: Server): Promise<number> {
  server.listen(0, hostname)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, hostname)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function ask(port: number, text: string): Promise<string> {
  const socket = connect(port, hostname)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write(text)
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(data.toString()))
    socket.once('close', () => resolve('closed'))
  })
}

test('connects to a listening server and disconnects', async () => {
  await nodeSockets.probeTcp({ hostname, port: await echo('a') }, 1000)
  const unused = nodeSockets.probeTcp({ hostname, port: await freePort() }, 1000)
  await expect(unused).rejects.toMatchObject({ code: 'NETWORK_CONNECT_FAILED' })
})

test('forwards connections to the current target, and closes them without one', async () => {
  const [first, second, port] = [await echo('first'), await echo('second'), await freePort()]
  let target: number | undefined = first
  const forwarder = await nodeSockets.forward({ hostname, port }, () =>
    target === undefined ? undefined : { hostname, port: target },
  )
  expect(await ask(port, 'hello')).toBe('first hello')
  target = second
  expect(await ask(port, 'hello')).toBe('second hello')
  target = undefined
  expect(await ask(port, 'hello')).toBe('closed')
  const taken = nodeSockets.forward({ hostname, port }, () => undefined)
  await expect(taken).rejects.toMatchObject({ code: 'NETWORK_ADDRESS_IN_USE' })
  await forwarder.close()
  expect(await ask(port, 'hello')).toBe('closed')
})
