import {
  createPrivateKey,
  createPublicKey,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { joinBytes, type Clock, type Random } from 'setpoint/host'
import { readCertificateRequest } from '../codec/index.ts'
import { keyUsageBits, purposeList } from './certificate-usages.ts'
import { der, pem } from './der.ts'
import { isSelfSigned } from './request-signature.ts'

/** A certificate and its private key in PEM. */
interface Credential {
  readonly cert: string
  readonly key: string
}

type CertificateUse =
  | { readonly use: 'server'; readonly hosts: readonly string[] }
  | { readonly use: 'client'; readonly groups: readonly string[] }

/** A signing request of a client with its own key, and the properties of the certificate. */
interface SigningRequest {
  /** Base64 of PEM, as in a CertificateSigningRequest. */
  readonly request: string
  /** Key usages and extended key usages, with the names of Kubernetes. */
  readonly usages: readonly string[]
  readonly lifetimeMs: number
}

const ids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecPublicKey: '1.2.840.10045.2.1',
  p256: '1.2.840.10045.3.1.7',
  ecdsaSha256: '1.2.840.10045.4.3.2',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  alternativeName: '2.5.29.17',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const

const yearMs = 365 * 24 * 60 * 60_000
/** Certificates are backdated, for clients whose clock is behind. */
const backdateMs = 5 * 60_000
/** Shorter lifetimes are not reduced by the backdating. */
const shortMs = 8 * 60 * 60_000

/**
 * The certificate authority of one cluster: it signs the certificates of the server and of users.
 */
export class CertificateAuthority {
  readonly #host: Clock & Random
  readonly #key: KeyObject
  readonly #name: Uint8Array
  readonly #endMs: number
  /** The CA certificate, which clients trust. */
  readonly cert: string

  /** `saved` is the authority of an earlier process. */
  constructor(host: Clock & Random, commonName: string, saved?: Credential) {
    this.#host = host
    this.#name = nameOf(commonName, [])
    if (saved !== undefined) {
      this.#key = createPrivateKey(saved.key)
      this.cert = saved.cert
      this.#endMs = Date.parse(new X509Certificate(saved.cert).validTo)
      return
    }
    this.#key = newKey(host)
    this.#endMs = host.now() + 10 * yearMs
    this.cert = this.#issue({
      subject: this.#name,
      publicKey: publicKeyOf(this.#key),
      extensions: [
        extension(ids.basicConstraints, der.sequence(der.boolean(true)), true),
        // The usages certificate signing and digital signature.
        extension(ids.keyUsage, der.bits(Uint8Array.of(0x84), 2), true),
      ],
    })
  }

  /** The certificate and its key, for the constructor of another process. */
  credential(): Credential {
    return { cert: this.cert, key: pemOf(this.#key) }
  }

  /** Issues a certificate with a new key. */
  issue(commonName: string, purpose: CertificateUse): Credential {
    const key = newKey(this.#host)
    const usage = purpose.use === 'server' ? ids.serverAuth : ids.clientAuth
    const extensions = [
      extension(ids.keyUsage, der.bits(Uint8Array.of(0x80), 7), true),
      extension(ids.extendedKeyUsage, der.sequence(der.oid(usage)), false),
    ]
    if (purpose.use === 'server') {
      const names = purpose.hosts.map(alternativeName)
      extensions.push(extension(ids.alternativeName, der.sequence(...names), false))
    }
    const groups = purpose.use === 'client' ? purpose.groups : []
    const subject = nameOf(commonName, groups)
    const cert = this.#issue({ subject, publicKey: publicKeyOf(key), extensions })
    return { cert, key: pemOf(key) }
  }

  /**
   * Issues a certificate for the key of a request, with its subject and names. Other parts of the
   * request are ignored.
   */
  sign({ request, usages, lifetimeMs }: SigningRequest): string {
    const requested = readCertificateRequest(request)
    if (requested === undefined || !isSelfSigned(requested)) {
      throw new Error('unable to verify certificate request signature')
    }
    const { dns, email, ip, uri } = requested.names
    const names = [
      ...dns.map((name) => der.context(2, name, false)),
      ...email.map((name) => der.context(1, name, false)),
      ...ip.map((name) => der.context(7, name, false)),
      ...uri.map((name) => der.context(6, name, false)),
    ]
    const [bits, purposes] = [keyUsageBits(usages), purposeList(usages)]
    return this.#issue({
      subject: requested.subject,
      publicKey: requested.publicKey,
      lifetimeMs: lifetimeMs < shortMs ? lifetimeMs + backdateMs : lifetimeMs,
      extensions: [
        ...(bits === undefined ? [] : [extension(ids.keyUsage, bits, true)]),
        ...(purposes === undefined ? [] : [extension(ids.extendedKeyUsage, purposes, false)]),
        extension(ids.basicConstraints, der.sequence(), true),
        ...(names.length === 0
          ? []
          : [extension(ids.alternativeName, der.sequence(...names), false)]),
      ],
    })
  }

  #issue(options: {
    subject: Uint8Array
    publicKey: Uint8Array
    extensions: readonly Uint8Array[]
    lifetimeMs?: number
  }): string {
    const beginMs = this.#host.now() - backdateMs
    const endMs = Math.min(this.#endMs, beginMs + (options.lifetimeMs ?? Infinity))
    const algorithm = der.sequence(der.oid(ids.ecdsaSha256))
    const serial = this.#host.randomBytes(15)
    const body = der.sequence(
      der.context(0, der.integer(Uint8Array.of(2))),
      der.integer(joinBytes([Uint8Array.of(1), serial])),
      algorithm,
      this.#name,
      der.sequence(der.time(beginMs), der.time(endMs)),
      options.subject,
      options.publicKey,
      der.context(3, der.sequence(...options.extensions)),
    )
    const signature = sign('sha256', body, this.#key)
    return pem('CERTIFICATE', der.sequence(body, algorithm, der.bits(Uint8Array.from(signature))))
  }
}

/**
 * A P-256 key whose secret comes from the host's randomness, so that it is determined by the seed.
 */
function newKey(host: Random): KeyObject {
  const secret = host.randomBytes(32)
  // The order of the group begins with 0xffffffff00000000: a smaller first byte keeps the secret
  // below it.
  secret[0] = (secret[0] ?? 0) & 0x7f
  const inner = der.sequence(der.integer(Uint8Array.of(1)), der.octets(secret))
  const algorithm = der.sequence(der.oid(ids.ecPublicKey), der.oid(ids.p256))
  const pkcs8 = der.sequence(der.integer(Uint8Array.of(0)), algorithm, der.octets(inner))
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
  // Read again with its public part: Rust's TLS library refuses an exported key without it.
  const { kty = '', crv = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  const d = Buffer.from(secret).toString('base64url')
  return createPrivateKey({ key: { kty, crv, d, x, y }, format: 'jwk' })
}

function pemOf(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString()
}

/** The public key in the format of certificates (SPKI). */
function publicKeyOf(key: KeyObject): Uint8Array {
  return Uint8Array.from(createPublicKey(key).export({ format: 'der', type: 'spki' }))
}

function nameOf(commonName: string, organizations: readonly string[]): Uint8Array {
  const attribute = (id: string, value: string): Uint8Array =>
    der.set(der.sequence(der.oid(id), der.text(value)))
  return der.sequence(
    ...organizations.map((organization) => attribute(ids.organization, organization)),
    attribute(ids.commonName, commonName),
  )
}

function extension(id: string, value: Uint8Array, isCritical: boolean): Uint8Array {
  const critical = isCritical ? [der.boolean(true)] : []
  return der.sequence(der.oid(id), ...critical, der.octets(value))
}

function alternativeName(host: string): Uint8Array {
  const ipv4 = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host)
  if (ipv4 !== null) return der.context(7, Uint8Array.from(ipv4.slice(1).map(Number)), false)
  if (host === '::1')
    return der.context(7, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), false)
  return der.context(2, new TextEncoder().encode(host), false)
}
