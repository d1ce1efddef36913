import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Random } from '../host/index.ts'
import { der } from './der.ts'
import { derElements } from './der-elements.ts'

const ecPublicKey = '1.2.840.10045.2.1'
const p256 = '1.2.840.10045.3.1.7'

/**
 * A P-256 key whose secret comes from the host's randomness, so that it is determined by the seed.
 */
export function newKey(host: Random): KeyObject {
  const secret = host.randomBytes(32)
  // The order of the group begins with 0xffffffff00000000: a smaller first byte keeps the secret
  // below it.
  secret[0] = (secret[0] ?? 0) & 0x7f
  const inner = der.sequence(der.integer(Uint8Array.of(1)), der.octets(secret))
  const algorithm = der.sequence(der.oid(ecPublicKey), der.oid(p256))
  const pkcs8 = der.sequence(der.integer(Uint8Array.of(0)), algorithm, der.octets(inner))
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
  // Read again with its public part: Rust's TLS library refuses an exported key without it.
  const { kty = '', crv = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  const d = Buffer.from(secret).toString('base64url')
  return createPrivateKey({ key: { kty, crv, d, x, y }, format: 'jwk' })
}

export function isP256(key: KeyObject): boolean {
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

export function pemOf(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString()
}

/** The public key in the format of certificates (SPKI). */
export function publicKeyOf(key: KeyObject): Uint8Array {
  return Uint8Array.from(createPublicKey(key).export({ format: 'der', type: 'spki' }))
}

/** The identifier of a public key (SPKI): 160 bits of its SHA-256, as RFC 7093 describes. */
export function keyIdOf(publicKey: Uint8Array): Uint8Array {
  const bits = derElements(derElements(publicKey)[0]?.content)[1]?.content.subarray(1)
  const hash = createHash('sha256').update(bits ?? publicKey)
  return Uint8Array.from(hash.digest().subarray(0, 20))
}
