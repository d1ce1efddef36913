import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { virtualHost } from '../host/index.ts'
import { readCertificates } from './read-certificate.ts'
import type { RotationChange } from './rotation-plan.ts'
import { filesAfter } from './rotation-steps.ts'
import { readSecret, type SecretFiles } from './secret-content.ts'

const dayMs = 24 * 60 * 60_000

/** The contents of the Secret during 20 rotations, with the steps that made them. */
function rotate(): { readonly change: RotationChange; readonly files: SecretFiles }[] {
  const host = virtualHost({ seed: 1 })
  const settings = { caLifetimeMs: 365 * dayMs, servingLifetimeMs: 90 * dayMs, replacedCas: [] }
  const context = { host, name: 'webhooks', hosts: ['webhooks.default.svc'], ...settings }
  const cycle = ['renew', 'announce', 'promote', 'renew', 'retire'] as const
  const changes = ['create', ...Array.from({ length: 20 }, () => cycle).flat()] as const
  const contents: { change: RotationChange; files: SecretFiles }[] = []
  for (const change of changes) {
    const before: Readonly<Record<string, string>> = contents.at(-1)?.files ?? {}
    const data = Object.entries(before).map(([name, text]) => [name, btoa(text)] as const)
    const read = readSecret(host, Object.fromEntries(data))
    const content = read.is === 'usable' ? read.content : undefined
    contents.push({ change, files: filesAfter(change, content, context) })
  }
  host.stop()
  return contents
}

/** Whether a client that trusts the bundle of one content accepts the certificate of another. */
function trusts(bundle: SecretFiles, serving: SecretFiles): boolean {
  const certificate = new X509Certificate(serving['tls.crt'])
  return readCertificates('ca.crt', bundle['ca.crt']).some(
    ({ cert }) => certificate.checkIssued(cert) && certificate.verify(cert.publicKey),
  )
}

test('a client or a replica that is one step behind is never refused', () => {
  const contents = rotate()
  const refused = contents.flatMap(({ change, files }, index) => {
    const before = contents[index - 1]?.files ?? files
    return [
      ...(trusts(files, files) ? [] : [`after ${change}`]),
      ...(trusts(files, before) ? [] : [`a replica before ${change}`]),
      ...(trusts(before, files) ? [] : [`a client before ${change}`]),
    ]
  })
  expect(refused).toEqual([])
})

test('every rotation has another authority, and the bundle does not grow', () => {
  const contents = rotate()
  const issuers = contents.map(({ files }) => new X509Certificate(files['tls.crt']).issuer)
  expect(new Set(issuers).size).toBe(21)
  const sizes = contents.map(({ files }) => readCertificates('ca.crt', files['ca.crt']).length)
  expect(Math.max(...sizes)).toBe(2)
})
