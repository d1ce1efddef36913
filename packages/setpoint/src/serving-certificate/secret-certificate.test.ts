import { X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CertificateAuthority } from '../certificates/index.ts'
import { Client, connectionFromKubeconfig, fixedCredentials } from '../client/index.ts'
import { isSetpointError } from '../errors/index.ts'
import { seededRandom, virtualHost } from '../host/index.ts'
import { Secret } from '../kinds/index.ts'
import { hostLogger } from '../log/index.ts'
import { SecretCertificate, type SecretCertificateOptions } from './index.ts'
import { certificatesIn, createWorld, reference } from './testdata/certificate-world.ts'

const dayMs = 24 * 3600_000
const minuteMs = 60_000
/** A day between two checks, so that years pass quickly. */
const slow = { checkEvery: '1d', lifetimes: { ca: '365d', serving: '90d', overlap: '5d' } } as const

test('three replicas that start together agree on one authority', async () => {
  await using world = await createWorld()
  const replicas = [
    world.start({ skewMs: -minuteMs }),
    world.start(),
    world.start({ skewMs: minuteMs }),
  ]
  await Promise.all(replicas.map(({ ready }) => ready))
  const { type, data = {} } = await world.secret()
  expect(type).toBe('kubernetes.io/tls')
  expect(Object.keys(data).sort()).toEqual(['ca.crt', 'ca.key', 'tls.crt', 'tls.key'])
  const cert = await world.file('tls.crt')
  expect(replicas.map((replica) => replica.identity()?.cert)).toEqual([cert, cert, cert])
  const bundle = await world.file('ca.crt')
  expect(certificatesIn(bundle)).toHaveLength(1)
  expect(world.bundles).toEqual([bundle])
  expect(new X509Certificate(cert).subjectAltName).toBe('DNS:webhooks.default.svc')
  const [first] = replicas
  expect(first?.certificate.caBundle).toBe(bundle)
  expect(first?.certificate.expiresMs).toBe(Date.parse(new X509Certificate(cert).validTo))
  expect(first?.certificate.readiness()).toMatchObject({ name: 'certificate', problem: undefined })
})

test('fills an empty Secret, and keeps its labels, its type and its other keys', async () => {
  await using world = await createWorld()
  const metadata = { ...reference, labels: { app: 'mine' } }
  const data = { other: btoa('stays'), 'tls.crt': '', 'tls.key': '' }
  await world.admin.create(Secret, { metadata, type: 'Opaque', data })
  await world.start().ready
  const secret = await world.secret()
  expect(secret).toMatchObject({ type: 'Opaque', metadata: { labels: { app: 'mine' } } })
  expect(await world.file('other')).toBe('stays')
  expect(await world.file('tls.crt')).toContain('BEGIN CERTIFICATE')
})

test('in three years every step happens in order, and all replicas follow', async () => {
  await using world = await createWorld()
  const replicas = [-minuteMs, 0, minuteMs].map((skewMs) => world.start({ ...slow, skewMs }))
  await Promise.all(replicas.map(({ ready }) => ready))
  const problems: unknown[] = []
  for (let day = 0; day < 3 * 365; day += 5) {
    await world.host.sleep(5 * dayMs)
    problems.push(...replicas.map(({ certificate }) => certificate.readiness()))
  }
  const steps = world.messages(30)
  const rotations = steps.filter((message) => !message.includes('a new serving certificate'))
  const rotation = [
    'has the next certificate authority in its bundle',
    'has a serving certificate of the next certificate authority',
    'no longer has the former certificate authority',
  ]
  expect(rotations).toEqual([
    'has a new certificate authority',
    ...rotation,
    ...rotation,
    ...rotation,
    ...rotation,
  ])
  expect(steps.length - rotations.length).toBeGreaterThan(10)
  expect(world.refusals).toEqual([])
  const notes = { name: 'certificate', problem: undefined, note: undefined }
  expect(
    problems.filter((readiness) => JSON.stringify(readiness) !== JSON.stringify(notes)),
  ).toEqual([])
  expect(new Set(replicas.map((replica) => replica.identity()?.cert)).size).toBe(1)
  const names = certificatesIn(world.bundles.join('')).map(({ subject }) => subject)
  expect(new Set(names).size).toBe(5)
})

test('a replica that is down during a rotation comes back', async () => {
  await using world = await createWorld()
  const replicas = [world.start(slow), world.start(slow)]
  await Promise.all(replicas.map(({ ready }) => ready))
  const before = await world.file('ca.key')
  await world.host.sleep(240 * dayMs)
  replicas[1]?.stop()
  await world.host.sleep(30 * dayMs)
  expect(await world.file('ca.key')).not.toBe(before)
  const back = world.start(slow)
  await back.ready
  expect(back.identity()?.cert).toBe(await world.file('tls.crt'))
  expect(world.refusals).toEqual([])
})

test('replaces everything if all replicas were down until the authority expired', async () => {
  await using world = await createWorld()
  const first = world.start(slow)
  await first.ready
  first.stop()
  await world.host.sleep(400 * dayMs)
  const second = world.start(slow)
  await second.ready
  expect(certificatesIn(await world.file('ca.crt'))).toHaveLength(1)
  expect(second.certificate.readiness().problem).toBeUndefined()
  expect(world.refusals).toEqual([])
})

const foreign = new CertificateAuthority(virtualHost({ seed: 9 }), { commonName: 'foreign' })
const foreignServing = foreign.issue('foreign', { use: 'server', hosts: ['foreign'] })

test.each([
  ['an unreadable certificate', { 'tls.crt': 'text' }, 'tls.crt has no certificate'],
  [
    'a damaged certificate',
    { 'tls.crt': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    'tls.crt is not readable',
  ],
  ['an unreadable key', { 'tls.key': 'text' }, 'tls.key is not readable'],
  ['another key', { 'tls.key': foreignServing.key }, 'tls.key is not the key of tls.crt'],
  ['no bundle', { 'ca.crt': '' }, 'ca.crt has no certificate'],
  [
    'the key of another authority',
    { 'ca.key': foreign.credential().key },
    'ca.key is not the key of a certificate in ca.crt',
  ],
  [
    'the certificate of another authority',
    { 'tls.crt': foreignServing.cert, 'tls.key': foreignServing.key },
    'the authority of ca.key has not signed tls.crt',
  ],
  [
    'too many authorities',
    { 'ca.crt': foreign.cert.repeat(30) },
    'ca.crt has too many certificates',
  ],
])('a Secret with %s is replaced', async (_, files, problem) => {
  await using world = await createWorld()
  const replicas = [world.start(), world.start()]
  await Promise.all(replicas.map(({ ready }) => ready))
  await world.setFiles(files)
  await world.host.sleep(2 * minuteMs)
  const cert = await world.file('tls.crt')
  expect(replicas.map((replica) => replica.identity()?.cert)).toEqual([cert, cert])
  expect(world.messages(40)).toEqual([`was not usable and is replaced: ${problem}`])
  expect(world.host.logged.join('')).not.toContain('PRIVATE KEY')
  // The replaced authority stays until all replicas have switched.
  expect(certificatesIn(world.bundles.at(-1) ?? '')).toHaveLength(2)
  await world.host.sleep(15 * minuteMs)
  expect(certificatesIn(world.bundles.at(-1) ?? '')).toHaveLength(1)
  expect(world.refusals).toEqual([])
})

test('a deleted Secret is created again, and clients accept all replicas meanwhile', async () => {
  await using world = await createWorld()
  const replicas = [world.start(), world.start(), world.start()]
  await Promise.all(replicas.map(({ ready }) => ready))
  const before = await world.file('ca.key')
  await world.admin.delete(Secret, reference)
  await world.host.sleep(20 * minuteMs)
  expect(await world.file('ca.key')).not.toBe(before)
  const cert = await world.file('tls.crt')
  expect(replicas.map((replica) => replica.identity()?.cert)).toEqual([cert, cert, cert])
  expect(world.refusals).toEqual([])
})

test('a broken key of the next authority is replaced by another announcement', async () => {
  await using world = await createWorld()
  const replica = world.start(slow)
  await replica.ready
  const before = await world.file('ca.key')
  await world.host.sleep(244 * dayMs)
  expect(certificatesIn(await world.file('ca.crt'))).toHaveLength(2)
  await world.setFiles({ 'next-ca.key': 'text' })
  await world.host.sleep(3 * dayMs)
  expect(await world.file('ca.key')).toBe(before)
  await world.host.sleep(20 * dayMs)
  expect(await world.file('ca.key')).not.toBe(before)
  expect(certificatesIn(await world.file('ca.crt'))).toHaveLength(1)
  expect(world.refusals).toEqual([])
})

test('nothing is used before it is registered, and a failing registration delays the rotation', async () => {
  await using world = await createWorld()
  let isRefused = true
  const replica = world.start({ ...slow, failsToRegister: () => isRefused })
  await world.host.sleep(dayMs)
  expect(replica.identity()).toBeUndefined()
  expect(replica.certificate.readiness().problem).toBe('the registration is refused')
  isRefused = false
  await replica.ready
  const before = await world.file('ca.key')
  isRefused = true
  await world.host.sleep(300 * dayMs)
  expect(await world.file('ca.key')).toBe(before)
  // The serving certificate is renewed meanwhile.
  expect(replica.certificate.readiness()).toMatchObject({
    problem: undefined,
    note: 'the registration is refused',
  })
  isRefused = false
  await world.host.sleep(15 * dayMs)
  expect(await world.file('ca.key')).not.toBe(before)
  expect(world.refusals).toEqual([])
})

test('replicas with different hosts do not replace the certificate in turn', async () => {
  await using world = await createWorld()
  await Promise.all([
    world.start({ hosts: ['old.default.svc', '10.0.0.1'] }).ready,
    world.start({ hosts: ['new.default.svc', '::1'] }).ready,
  ])
  await world.host.sleep(10 * minuteMs)
  const names = new X509Certificate(await world.file('tls.crt')).subjectAltName?.split(', ').sort()
  expect(names).toEqual([
    'DNS:new.default.svc',
    'DNS:old.default.svc',
    'IP Address:0:0:0:0:0:0:0:1',
    'IP Address:10.0.0.1',
  ])
  const { resourceVersion } = (await world.secret()).metadata
  await world.host.sleep(60 * minuteMs)
  expect((await world.secret()).metadata.resourceVersion).toBe(resourceVersion)
})

test('a process without rights says which manifests to apply', async () => {
  await using world = await createWorld()
  const connection = await connectionFromKubeconfig(world.host, world.cluster.kubeconfig())
  const credentials = fixedCredentials({})
  const client = new Client(world.host, { ...connection, credentials })
  const replica = world.start({ client })
  const error: unknown = await replica.ready.catch((failure: unknown) => failure)
  expect(isSetpointError(error, 'CERTIFICATE_UNAVAILABLE')).toBe(true)
  expect(String(error)).toContain('not allowed to get the Secret default/webhooks')
  expect(String(error)).toContain('apply the generated manifests')
  expect(replica.certificate.readiness().problem).toContain('not allowed')
})

test('prepare and run end when their signal is aborted', async () => {
  await using world = await createWorld()
  const stopping = new AbortController()
  const { certificate, ready } = world.start()
  await ready
  const running = certificate.run(stopping.signal)
  await world.host.sleep(minuteMs)
  stopping.abort()
  await running
  await expect(certificate.prepare(stopping.signal)).rejects.toMatchObject({ code: 'ABORTED' })
})

test.each<[string, Partial<SecretCertificateOptions>, string]>([
  ['no hosts', { hosts: [] }, 'hosts is empty'],
  ['an impossible host', { hosts: ['a b'] }, 'cannot have the host "a b"'],
  ['a short overlap', { lifetimes: { overlap: '1m' } }, 'less than 120000 ms'],
  ['a short lifetime', { lifetimes: { serving: '30m' } }, 'too short'],
  ['an impossible part', { lifetimes: { renewAfter: 1 } }, 'not between 0 and 1'],
  ['text that is not a duration', { lifetimes: { ca: 'long' } }, 'lifetimes.ca is "long"'],
])('refuses options with %s', (_, options, message) => {
  const host = virtualHost({ seed: 1 })
  const connection = {
    server: 'https://unreachable',
    credentials: fixedCredentials({}),
    namespace: 'default',
    name: 'unreachable',
  }
  const create = () =>
    new SecretCertificate({
      host,
      client: new Client(host, connection),
      log: hostLogger(host),
      secret: reference,
      hosts: ['a'],
      register: async () => undefined,
      use: () => undefined,
      ...options,
    })
  expect(create).toThrow(message)
  host.stop()
})

test('clients accept all replicas under random faults', async () => {
  const plan = fc.record({ seed: fc.nat(), badness: fc.constantFrom(0.02, 0.1, 0.3) })
  const property = fc.asyncProperty(plan, async ({ seed, badness }) => {
    const random = seededRandom(seed)
    await using world = await createWorld({
      seed,
      intercept: ({ kind, url = '' }) => {
        const isSubject = url.includes('/secrets') && !url.includes('0.0.0.0')
        if (!isSubject || random.random() > badness) return undefined
        return kind === 'request' || kind === 'response' ? 'cut' : { delay: 8000 * random.random() }
      },
    })
    const lifetimes = { ca: '4h', serving: '2h', overlap: '10m' }
    const checkEvery = '4m'
    const skews = [-minuteMs, 0, minuteMs]
    const replicas = skews.map((skewMs) => world.start({ lifetimes, skewMs, checkEvery }))
    await Promise.all(replicas.map(({ ready }) => ready))
    await world.host.sleep(10 * 60 * minuteMs)
    expect(world.refusals).toEqual([])
    const names = certificatesIn(world.bundles.join('')).map(({ subject }) => subject)
    expect(new Set(names).size).toBeGreaterThanOrEqual(3)
  })
  await fc.assert(property, { numRuns: 3 })
})
