import { X509Certificate } from 'node:crypto'

/** A renewal that has not happened this long before the end is late. */
const soonMs = 7 * 24 * 3_600_000

/** What is wrong with certificates. */
interface CertificateProblem {
  readonly state: 'note' | 'wrong'
  readonly message: string
}

/** The certificates in a PEM text; undefined if it is not readable. */
export function certificatesIn(pem: string): X509Certificate[] | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.length === 0 ? undefined : blocks.map((block) => new X509Certificate(block))
  } catch {
    return undefined
  }
}

/** A bundle works while one of its authorities is valid. */
export function bundleProblem(
  authorities: readonly X509Certificate[],
  nowMs: number,
): CertificateProblem | undefined {
  const endMs = Math.max(...authorities.map(({ validTo }) => Date.parse(validTo)))
  return endProblem('the caBundle', endMs, nowMs)
}

/** A serving certificate must be valid, and signed by an authority of the bundle. */
export function servingProblem(
  serving: X509Certificate,
  authorities: readonly X509Certificate[],
  nowMs: number,
): CertificateProblem | undefined {
  const isTrusted = authorities.some(
    (authority) => serving.checkIssued(authority) && serving.verify(authority.publicKey),
  )
  if (!isTrusted) {
    const message = 'the caBundle has no authority that signed the certificate of its server'
    return { state: 'wrong', message }
  }
  return endProblem('the certificate of its server', Date.parse(serving.validTo), nowMs)
}

function endProblem(what: string, endMs: number, nowMs: number): CertificateProblem | undefined {
  const end = new Date(endMs).toISOString()
  if (nowMs >= endMs) return { state: 'wrong', message: `${what} expired at ${end}` }
  if (nowMs >= endMs - soonMs) return { state: 'note', message: `${what} expires at ${end}` }
  return undefined
}
