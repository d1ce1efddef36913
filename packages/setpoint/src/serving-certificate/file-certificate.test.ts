import { expect, test } from 'vitest'
import { CertificateAuthority } from '../certificates/index.ts'
import { type TlsServerIdentity, type VirtualHost, virtualHost } from '../host/index.ts'
import { hostLogger } from '../log/index.ts'
import { FileCertificate } from './index.ts'

const authority = new CertificateAuthority(virtualHost({ seed: 1 }), { commonName: 'test' })
const dayMs = 24 * 3600_000

interface World extends Disposable {
  readonly host: VirtualHost
  readonly certificate: FileCertificate
  /** What was registered and used, in order. */
  readonly events: string[]
  readonly signal: AbortSignal
  write(identity: TlsServerIdentity, ca?: string): Promise<void>
}

function createWorld(register = async (): Promise<void> => undefined): World {
  const host = virtualHost({ seed: 1, files: { '/tls/other': '' } })
  const stopping = new AbortController()
  const events: string[] = []
  const certificate = new FileCertificate({
    host,
    log: hostLogger(host),
    directory: '/tls',
    register: async (bundle) => {
      await register()
      events.push(`register ${bundle}`)
    },
    use: ({ cert }) => void events.push(`use ${cert}`),
  })
  return {
    host,
    certificate,
    events,
    signal: stopping.signal,
    write: async ({ cert, key }, ca) => {
      await host.writeFile('/tls/tls.crt', cert)
      await host.writeFile('/tls/tls.key', key)
      if (ca !== undefined) await host.writeFile('/tls/ca.crt', ca)
    },
    [Symbol.dispose]: () => {
      stopping.abort()
      host.stop()
    },
  }
}

const issue = () => authority.issue('server', { use: 'server', hosts: ['a.svc'], lifetime: '30d' })

test('waits for the files, and follows their changes', async () => {
  using world = createWorld()
  const { host, certificate, events, signal } = world
  const preparing = certificate.prepare(signal)
  await host.sleep(60_000)
  expect(certificate.readiness().problem).toContain('/tls/tls.crt')
  const [first, second] = [issue(), issue()]
  await world.write(first)
  await preparing
  expect(events).toEqual([`use ${first.cert}`])
  expect(certificate.identity).toEqual(first)
  expect(certificate.caBundle).toBeUndefined()
  void certificate.run(signal)
  await host.sleep(60_000)
  expect(events).toHaveLength(1)
  await world.write(second)
  await host.sleep(10_000)
  expect(events.slice(1)).toEqual([`use ${second.cert}`])
  expect(certificate.readiness()).toEqual({ name: 'certificate', problem: undefined })
})

test('registers ca.crt before it uses the certificate', async () => {
  let isRefused = true
  using world = createWorld(async () => {
    if (isRefused) throw new Error('refused')
  })
  const identity = issue()
  await world.write(identity, authority.cert)
  const preparing = world.certificate.prepare(world.signal)
  await world.host.sleep(60_000)
  expect(world.events).toEqual([])
  isRefused = false
  await preparing
  expect(world.events).toEqual([`register ${authority.cert}`, `use ${identity.cert}`])
  expect(world.certificate.caBundle).toBe(authority.cert)
})

test('keeps its certificate while the files do not belong together', async () => {
  using world = createWorld()
  const [first, second] = [issue(), issue()]
  await world.write(first)
  await world.certificate.prepare(world.signal)
  void world.certificate.run(world.signal)
  await world.host.writeFile('/tls/tls.crt', second.cert)
  await world.host.sleep(60_000)
  expect(world.certificate.identity).toEqual(first)
  expect(world.certificate.readiness()).toMatchObject({
    problem: undefined,
    note: 'tls.key is not the key of tls.crt',
  })
  await world.host.writeFile('/tls/tls.key', second.key)
  await world.host.sleep(10_000)
  expect(world.certificate.identity).toEqual(second)
  expect(world.host.logged.join('')).not.toContain('PRIVATE KEY')
})

test('a certificate that expires soon is a note, and an expired one is a problem', async () => {
  using world = createWorld()
  await world.write(issue())
  await world.certificate.prepare(world.signal)
  expect(world.certificate.expiresMs).toBe(
    world.host.now() + 30 * dayMs - (world.host.now() % 1000),
  )
  await world.host.sleep(26 * dayMs)
  expect(world.certificate.readiness()).toMatchObject({
    problem: undefined,
    note: 'the certificate expires at 2030-01-31T00:00:00.000Z',
  })
  await world.host.sleep(4 * dayMs)
  expect(world.certificate.readiness().problem).toBe(
    'the certificate expired at 2030-01-31T00:00:00.000Z',
  )
})
