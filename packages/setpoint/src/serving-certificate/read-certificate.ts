import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { backdateMs } from '../certificates/certificate-authority.ts'
import { SetpointError } from '../errors/index.ts'
import type { Validity } from './rotation-plan.ts'

/** The most authorities in a bundle: more are not the work of Setpoint. */
const authoritiesMax = 20

/** A certificate and its PEM text. */
export interface ReadCertificate {
  readonly pem: string
  readonly cert: X509Certificate
}

/** An error of the content of a Secret or a directory. It never contains the content. */
export function contentError(problem: string, cause?: unknown): SetpointError {
  return new SetpointError('CERTIFICATE_INVALID', problem, cause === undefined ? {} : { cause })
}

/** Reads the certificates of a PEM text. `name` is the name of the file in errors. */
export function readCertificates(name: string, text: string): ReadCertificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw contentError(`${name} has no certificate`)
  if (blocks.length > authoritiesMax) throw contentError(`${name} has too many certificates`)
  return blocks.map((block) => {
    const pem = `${block}\n`
    return { pem, cert: readable(name, () => new X509Certificate(pem)) }
  })
}

export function readKey(name: string, text: string): KeyObject {
  return readable(name, () => createPrivateKey(text))
}

/** Reads a serving certificate, which may be followed by a chain, and checks that the key fits. */
export function readServing(texts: {
  readonly cert: string
  readonly key: string
}): X509Certificate {
  const [serving] = readCertificates('tls.crt', texts.cert)
  const key = readKey('tls.key', texts.key)
  if (serving?.cert.checkPrivateKey(key) === true) return serving.cert
  throw contentError('tls.key is not the key of tls.crt')
}

/** When a certificate was made, and when it ends. */
export function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { fromMs: Date.parse(validFrom) + backdateMs, untilMs: Date.parse(validTo) }
}

function readable<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw contentError(`${name} is not readable`, error)
  }
}
