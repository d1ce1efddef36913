import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { der, pem } from 'setpoint/certificates'

interface RequestOptions {
  readonly key?: 'ec' | 'rsa' | 'ed25519'
  readonly commonName: string
  readonly organizations?: readonly string[]
  readonly dns?: readonly string[]
  /** Signs with another key. */
  readonly isForged?: boolean
}

const algorithms = {
  ec: der.sequence(der.oid('1.2.840.10045.4.3.2')),
  rsa: der.sequence(der.oid('1.2.840.113549.1.1.11'), Uint8Array.of(5, 0)),
  ed25519: der.sequence(der.oid('1.3.101.112')),
}

/** A certificate request with a new key, base64 of PEM. */
export function madeRequest(options: RequestOptions): string {
  const { key = 'ec', commonName, organizations = [], dns = [], isForged = false } = options
  const [own, other] = [newKeys(key), newKeys(key)]
  const attribute = (id: string, value: string): Uint8Array =>
    der.set(der.sequence(der.oid(id), der.text(value)))
  const names = dns.map((name) => der.context(2, new TextEncoder().encode(name), false))
  const extension = der.sequence(der.oid('2.5.29.17'), der.octets(der.sequence(...names)))
  const extensions = der.sequence(
    der.oid('1.2.840.113549.1.9.14'),
    der.set(der.sequence(extension)),
  )
  const body = der.sequence(
    der.integer(Uint8Array.of(0)),
    der.sequence(
      ...organizations.map((organization) => attribute('2.5.4.10', organization)),
      attribute('2.5.4.3', commonName),
    ),
    Uint8Array.from(own.publicKey.export({ format: 'der', type: 'spki' })),
    der.context(0, dns.length === 0 ? new Uint8Array() : extensions),
  )
  const signer = isForged ? other : own
  const signature = sign(key === 'ed25519' ? null : 'sha256', body, signer.privateKey)
  const whole = der.sequence(body, algorithms[key], der.bits(Uint8Array.from(signature)))
  return btoa(pem('CERTIFICATE REQUEST', whole))
}

function newKeys(key: 'ec' | 'rsa' | 'ed25519'): { publicKey: KeyObject; privateKey: KeyObject } {
  if (key === 'ec') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return key === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ed25519')
}
