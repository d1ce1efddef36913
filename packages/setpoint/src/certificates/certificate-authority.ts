import { createPrivateKey, sign, X509Certificate, type KeyObject } from 'node:crypto'
import { SetpointError } from '../errors/index.ts'
import { durationMs, joinBytes, type Clock, type Duration, type Random } from '../host/index.ts'
import { alternativeName } from './alternative-name.ts'
import { der, pem } from './der.ts'
import { derElements } from './der-elements.ts'
import { isP256, keyIdOf, newKey, pemOf, publicKeyOf } from './private-key.ts'

/** A certificate and its private key in PEM. */
export interface CertificateAndKey {
  readonly cert: string
  readonly key: string
}

/** A new authority, or the saved one of an earlier process. */
export type AuthorityOptions =
  | {
      readonly commonName: string
      /** Ten years by default. */
      readonly lifetime?: Duration | undefined
      readonly saved?: undefined
    }
  | { readonly saved: CertificateAndKey }

/** What a certificate is for. */
export type CertificateUse = (
  | {
      readonly use: 'server'
      /** DNS names and IP addresses. */
      readonly hosts: readonly string[]
    }
  | { readonly use: 'client'; readonly groups: readonly string[] }
) & {
  /** Until the end of the authority by default, which limits it in any case. */
  readonly lifetime?: Duration | undefined
}

/** A certificate for an existing key, in the encoding of certificates. */
export interface CertificateBody {
  readonly subject: Uint8Array
  /** As SPKI. */
  readonly publicKey: Uint8Array
  /** Made by `extension`; the identifiers of the two keys are added. */
  readonly extensions: readonly Uint8Array[]
  /** From now; until the end of the authority by default. */
  readonly lifetime?: Duration | undefined
}

/** The identifiers of extensions. */
export const extensionIds = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const

const ids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaSha256: '1.2.840.10045.4.3.2',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const

/** Certificates are valid from this long before their creation, for clients whose clock is behind. */
export const backdateMs = 5 * 60_000

/**
 * A certificate authority (CA) with a P-256 key: it signs certificates of servers and clients. Keep
 * `credential()` where only its users can read it.
 */
export class CertificateAuthority {
  readonly #host: Clock & Random
  readonly #key: KeyObject
  readonly #name: Uint8Array
  readonly #beginMs: number
  readonly #endMs: number
  /** `undefined` if the certificate of the authority does not have it. */
  readonly #keyId: Uint8Array | undefined
  #credential: CertificateAndKey | undefined
  /** The CA certificate, which clients trust. */
  readonly cert: string

  constructor(host: Clock & Random, options: AuthorityOptions) {
    this.#host = host
    if (options.saved !== undefined) {
      const saved = savedAuthority(options.saved)
      this.cert = options.saved.cert
      this.#credential = options.saved
      this.#key = saved.key
      this.#name = saved.name
      this.#beginMs = saved.beginMs
      this.#endMs = saved.endMs
      this.#keyId = saved.keyId
      return
    }
    const { commonName, lifetime = '3650d' } = options
    this.#key = newKey(host)
    this.#name = nameOf(commonName, [])
    this.#beginMs = host.now() - backdateMs
    this.#endMs = host.now() + durationMs(lifetime, 'lifetime')
    const publicKey = publicKeyOf(this.#key)
    this.#keyId = keyIdOf(publicKey)
    this.cert = this.certify({
      subject: this.#name,
      publicKey,
      extensions: [
        extension(extensionIds.basicConstraints, der.sequence(der.boolean(true)), true),
        // The usages certificate signing and digital signature.
        extension(extensionIds.keyUsage, der.bits(Uint8Array.of(0x84), 2), true),
      ],
    })
  }

  /** Whether its certificate is valid now. A saved one can be of another time. */
  isValid(): boolean {
    const nowMs = this.#host.now()
    return this.#beginMs <= nowMs && nowMs < this.#endMs
  }

  /** The certificate and its key, for the constructor of another process. */
  credential(): CertificateAndKey {
    return (this.#credential ??= { cert: this.cert, key: pemOf(this.#key) })
  }

  /** Issues a certificate with a new key. */
  issue(commonName: string, purpose: CertificateUse): CertificateAndKey {
    const key = newKey(this.#host)
    const usage = purpose.use === 'server' ? ids.serverAuth : ids.clientAuth
    const extensions = [
      extension(extensionIds.keyUsage, der.bits(Uint8Array.of(0x80), 7), true),
      extension(extensionIds.extendedKeyUsage, der.sequence(der.oid(usage)), false),
    ]
    if (purpose.use === 'server') {
      const names = der.sequence(...purpose.hosts.map(alternativeName))
      extensions.push(extension(extensionIds.alternativeName, names, false))
    }
    const subject = nameOf(commonName, purpose.use === 'client' ? purpose.groups : [])
    const { lifetime } = purpose
    const cert = this.certify({ subject, publicKey: publicKeyOf(key), extensions, lifetime })
    return { cert, key: pemOf(key) }
  }

  /** Signs a certificate with other extensions than those of `issue`; returns it in PEM. */
  certify({ subject, publicKey, extensions, lifetime }: CertificateBody): string {
    const nowMs = this.#host.now()
    const lifetimeMs = lifetime === undefined ? Infinity : durationMs(lifetime, 'lifetime')
    const algorithm = der.sequence(der.oid(ids.ecdsaSha256))
    const serial = this.#host.randomBytes(15)
    const body = der.sequence(
      der.context(0, der.integer(Uint8Array.of(2))),
      der.integer(joinBytes([Uint8Array.of(1), serial])),
      algorithm,
      this.#name,
      der.sequence(
        der.time(nowMs - backdateMs),
        der.time(Math.min(this.#endMs, nowMs + lifetimeMs)),
      ),
      subject,
      publicKey,
      der.context(3, der.sequence(...extensions, ...this.#keyIds(publicKey))),
    )
    const signature = sign('sha256', body, this.#key)
    return pem('CERTIFICATE', der.sequence(body, algorithm, der.bits(Uint8Array.from(signature))))
  }

  /**
   * With these identifiers, clients that trust several authorities of the same name find the one that
   * signed a certificate.
   */
  #keyIds(publicKey: Uint8Array): Uint8Array[] {
    const own = extension(extensionIds.subjectKeyId, der.octets(keyIdOf(publicKey)), false)
    if (this.#keyId === undefined) return [own]
    const authority = der.sequence(der.context(0, this.#keyId, false))
    return [own, extension(extensionIds.authorityKeyId, authority, false)]
  }
}

/** An extension of a certificate. Clients refuse a certificate with an unknown critical one. */
export function extension(id: string, value: Uint8Array, isCritical: boolean): Uint8Array {
  const critical = isCritical ? [der.boolean(true)] : []
  return der.sequence(der.oid(id), ...critical, der.octets(value))
}

function nameOf(commonName: string, organizations: readonly string[]): Uint8Array {
  const attribute = (id: string, value: string): Uint8Array =>
    der.set(der.sequence(der.oid(id), der.text(value)))
  return der.sequence(
    ...organizations.map((organization) => attribute(ids.organization, organization)),
    attribute(ids.commonName, commonName),
  )
}

interface SavedAuthority {
  readonly key: KeyObject
  readonly name: Uint8Array
  readonly beginMs: number
  readonly endMs: number
  readonly keyId: Uint8Array | undefined
}

/** Thousands of simulated clusters have one authority, and reading a key takes a millisecond. */
const savedAuthorities = new Map<string, SavedAuthority>()
const savedMax = 16

function savedAuthority(saved: CertificateAndKey): SavedAuthority {
  const id = saved.cert + saved.key
  const known = savedAuthorities.get(id)
  if (known !== undefined) return known
  const { cert, key } = checkedAuthority(saved)
  const keyId = keyIdOf(publicKeyOf(key))
  const read = {
    key,
    name: subjectOf(cert),
    beginMs: Date.parse(cert.validFrom),
    endMs: Date.parse(cert.validTo),
    keyId: cert.raw.includes(Buffer.from(keyId)) ? keyId : undefined,
  }
  savedAuthorities.set(id, read)
  for (const [oldest] of savedAuthorities) {
    if (savedAuthorities.size <= savedMax) break
    savedAuthorities.delete(oldest)
  }
  return read
}

function checkedAuthority(saved: CertificateAndKey): { cert: X509Certificate; key: KeyObject } {
  const cert = new X509Certificate(saved.cert)
  const key = createPrivateKey(saved.key)
  if (cert.ca && isP256(key) && cert.checkPrivateKey(key)) return { cert, key }
  throw new SetpointError(
    'CERTIFICATE_INVALID',
    'a saved certificate authority is not a CA certificate with its own P-256 key',
  )
}

/** The subject as the certificate encodes it: the issuer of other certificates must be the same. */
function subjectOf(cert: X509Certificate): Uint8Array {
  const fields = derElements(derElements(derElements(cert.raw)[0]?.content)[0]?.content)
  // Version, serial number, algorithm, issuer, validity, subject.
  return fields[5]?.whole ?? der.sequence()
}
