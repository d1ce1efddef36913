import { get } from 'node:https'
import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { Client, connectionFromKubeconfig } from '../client/index.ts'
import { type HttpServer, nodeHost, virtualHost } from '../host/index.ts'
import { hostLogger } from '../log/index.ts'
import { SecretCertificate } from './index.ts'
import { certificatesIn } from './testdata/certificate-world.ts'

/** `test/runtime/certificate-rotation.test.ts` has as many with an API server, without sockets. */
const rotations = 20
const requestsPerRound = 4
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Less than the overlap: no request takes longer. */
const roundMs = 60_000

/**
 * The clock and the API are virtual, and the servers and their clients are real. OpenSSL compares
 * certificates with the real time. So they live for years, and are replaced after five minutes.
 */
test('OpenSSL accepts every server while the authority rotates 20 times under load', async () => {
  const real = nodeHost()
  const host = virtualHost({ seed: 1, startTime: real.now() - 6 * hourMs, autoAdvance: false })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const stopping = new AbortController()
  let registered = ''
  const servers: HttpServer[] = []
  const authorities = new Set<string>()
  const startServer = async (): Promise<void> => {
    const listening: HttpServer[] = []
    const certificate = new SecretCertificate({
      host,
      client: new Client(host, connection),
      log: hostLogger(host),
      secret: { name: 'webhooks', namespace: 'default' },
      hosts: ['webhooks.default.svc'],
      lifetimes: {
        ca: '3650d',
        serving: '3650d',
        overlap: '3m',
        renewAfter: (5 * minuteMs) / (3650 * 24 * hourMs),
      },
      register: async (bundle) => {
        registered = bundle
      },
      use: (identity) => {
        for (const { issuer } of certificatesIn(identity.cert)) authorities.add(issuer)
        for (const server of listening) server.setTls(identity)
      },
    })
    await certificate.prepare(stopping.signal)
    const tls = certificate.identity
    const server = await real.listen({ tls, handle: async () => ({ status: 200 }) })
    listening.push(server)
    servers.push(server)
    void certificate.run(stopping.signal)
  }
  await startServer()
  await startServer()

  const failures: string[] = []
  let answers = 0
  const send = async (server: HttpServer): Promise<void> => {
    const answer = await statusOf(server.port, registered)
    if (answer === 200) answers += 1
    else failures.push(String(answer))
  }
  let rounds = 0
  while (authorities.size <= rotations && rounds < 1000) {
    rounds += 1
    const load = Array.from({ length: requestsPerRound }, (_, index) => servers[index % 2])
    await Promise.all([
      ...load.map(async (server) => server && send(server)),
      host.advance(roundMs),
    ])
  }
  expect(failures).toEqual([])
  expect(answers).toBe(rounds * requestsPerRound)
  expect(authorities.size).toBe(rotations + 1)
  expect(certificatesIn(registered).length).toBeLessThanOrEqual(3)

  stopping.abort()
  await Promise.all([...servers.map((server) => server.close()), cluster.dispose()])
  host.stop()
})

/** The answer to a request on a new connection; the error if the client refuses the server. */
function statusOf(port: number, ca: string): Promise<unknown> {
  return new Promise((resolve) => {
    const options = {
      host: '127.0.0.1',
      port,
      ca,
      servername: 'webhooks.default.svc',
      agent: false,
    }
    get(options, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', resolve)
  })
}
