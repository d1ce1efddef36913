import type { X509Certificate } from 'node:crypto'
import { alternativeName } from '../certificates/alternative-name.ts'
import { CertificateAuthority } from '../certificates/index.ts'
import { headline, isSetpointError } from '../errors/index.ts'
import type { Clock, Random } from '../host/index.ts'
import type { UsableCertificate } from './certificate-in-use.ts'
import {
  contentError,
  readCertificates,
  readKey,
  readServing,
  type ReadCertificate,
  validityOf,
} from './read-certificate.ts'
import type { Validity } from './rotation-plan.ts'

/** The keys of the Secret. `ca.crt` is the bundle; the other keys belong to certificates in it. */
const fileNames = ['tls.crt', 'tls.key', 'ca.crt', 'ca.key', 'next-ca.key'] as const

/** The content of the Secret as PEM texts; a missing one is empty. */
export type SecretFiles = Readonly<Record<(typeof fileNames)[number], string>>

/** An authority and its lifetime. */
interface StoredAuthority {
  readonly authority: CertificateAuthority
  readonly validity: Validity
}

/** The parsed content of the Secret. */
export interface SecretContent {
  readonly files: SecretFiles
  readonly ca: StoredAuthority
  readonly nextCa: StoredAuthority | undefined
  /** The authorities in the bundle that sign nothing any more. */
  readonly formerCas: readonly ReadCertificate[]
  readonly serving: X509Certificate
  readonly usable: UsableCertificate
}

/** The result of reading a Secret: its content, nothing, or the reason why it is not usable. */
export type ReadResult =
  | { readonly is: 'usable'; readonly content: SecretContent }
  | { readonly is: 'empty' }
  | { readonly is: 'broken'; readonly problem: string }

/** Reads the `data` of a Secret. */
export function readSecret(
  host: Clock & Random,
  data: Readonly<Record<string, string>> | undefined,
): ReadResult {
  const text = (name: string) => Buffer.from(data?.[name] ?? '', 'base64').toString()
  const files = Object.fromEntries(fileNames.map((name) => [name, text(name)])) as SecretFiles
  if (fileNames.every((name) => files[name] === '')) return { is: 'empty' }
  try {
    return { is: 'usable', content: parseFiles(host, files) }
  } catch (error) {
    if (!isSetpointError(error, 'CERTIFICATE_INVALID')) throw error
    return { is: 'broken', problem: headline(error) }
  }
}

/** The `data` of a Secret with this content. Other keys of the Secret stay. */
export function secretData(
  before: Readonly<Record<string, string>> | undefined,
  files: SecretFiles,
): Record<string, string> {
  const data = { ...before }
  for (const name of fileNames) {
    if (files[name] === '') delete data[name]
    else data[name] = Buffer.from(files[name]).toString('base64')
  }
  return data
}

/** Whether a certificate has all these hosts. */
export function coversHosts({ raw }: X509Certificate, hosts: readonly string[]): boolean {
  return hosts.every((host) => raw.includes(Buffer.from(alternativeName(host))))
}

function parseFiles(host: Clock & Random, files: SecretFiles): SecretContent {
  const identity = { cert: files['tls.crt'], key: files['tls.key'] }
  const serving = readServing(identity)
  const bundle = readCertificates('ca.crt', files['ca.crt'])
  const caKey = readKey('ca.key', files['ca.key'])
  const current = bundle.find(({ cert }) => cert.checkPrivateKey(caKey))
  if (current === undefined) throw contentError('ca.key is not the key of a certificate in ca.crt')
  if (!serving.checkIssued(current.cert) || !serving.verify(current.cert.publicKey)) {
    throw contentError('the authority of ca.key has not signed tls.crt')
  }
  const saved = { cert: current.pem, key: files['ca.key'] }
  const authority = new CertificateAuthority(host, { saved })
  const next = nextAuthority(host, files, bundle)
  const signing = [current.pem, next?.authority.cert]
  return {
    files,
    ca: { authority, validity: validityOf(current.cert) },
    nextCa: next,
    formerCas: bundle.filter(({ pem }) => !signing.includes(pem)),
    serving,
    usable: {
      identity,
      validity: validityOf(serving),
      caBundle: bundle.map(({ pem }) => pem).join(''),
      issuer: current.pem,
    },
  }
}

/**
 * The announced authority. If its key is broken there is none, and another one is announced: it has
 * signed nothing yet.
 */
function nextAuthority(
  host: Clock & Random,
  files: SecretFiles,
  bundle: readonly ReadCertificate[],
): StoredAuthority | undefined {
  const key = files['next-ca.key']
  if (key === '' || key === files['ca.key']) return undefined
  try {
    const keyObject = readKey('next-ca.key', key)
    const found = bundle.find(({ cert }) => cert.checkPrivateKey(keyObject))
    if (found === undefined) return undefined
    const authority = new CertificateAuthority(host, { saved: { cert: found.pem, key } })
    return { authority, validity: validityOf(found.cert) }
  } catch (error) {
    if (isSetpointError(error, 'CERTIFICATE_INVALID')) return undefined
    throw error
  }
}
