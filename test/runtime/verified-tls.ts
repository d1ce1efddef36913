import { X509Certificate } from 'node:crypto'
import type { Host, HttpRequest, TlsServerIdentity } from 'setpoint/host'

/** Hosts of a virtual network on which clients verify servers, as in a TLS handshake. */
interface VerifiedTls {
  /** For the API server: refuses servers that it does not trust. */
  readonly client: Host
  /** For the servers. */
  readonly server: Host
  /** The authorities whose certificates servers have used. */
  readonly issuers: ReadonlySet<string>
  /** How many handshakes were verified. */
  readonly handshakes: () => number
}

/** A bundle with which an API server called an address. */
interface UsedBundle {
  readonly ca: string
  readonly lastMs: number
}

/**
 * A virtual network imitates TLS without certificates. Here the certificate of the server must be
 * valid for the requested name, and signed by an authority of the bundle: at the virtual time, so
 * that years pass quickly.
 *
 * API servers notice a changed object late. So the certificate must also be trusted by every bundle
 * that was in use for the same path less than `lagMs` ago.
 */
export function verifiedTls(host: Host, { lagMs }: { readonly lagMs: number }): VerifiedTls {
  const identities = new Map<string, TlsServerIdentity>()
  const issuers = new Set<string>()
  const bundles = new Map<string, UsedBundle[]>()
  let handshakes = 0
  const show = (origin: string, identity: TlsServerIdentity): void => {
    identities.set(origin, identity)
    issuers.add(parsed(identity.cert).issuer)
  }
  const verify = ({ url, tls }: HttpRequest): void => {
    const { origin, pathname } = new URL(url)
    const identity = identities.get(origin)
    if (identity === undefined || tls?.ca === undefined) return
    handshakes += 1
    const { ca } = tls
    const nowMs = host.now()
    const others = (bundles.get(pathname) ?? []).filter((used) => used.ca !== ca)
    const recent = [...others.filter(({ lastMs }) => nowMs - lastMs < lagMs), { ca, lastMs: nowMs }]
    bundles.set(pathname, recent)
    for (const used of recent) {
      const age = `${(nowMs - used.lastMs) / 1000} s old bundle`
      const problem = refusalOf(identity.cert, { ...used, nowMs, name: tls.serverName })
      if (problem !== undefined) throw new Error(`x509: ${pathname}, ${age}: ${problem}`)
    }
  }
  return {
    issuers,
    handshakes: () => handshakes,
    client: {
      ...host,
      request: async (request) => {
        verify(request)
        return host.request(request)
      },
    },
    server: {
      ...host,
      listen: async (options) => {
        const server = await host.listen(options)
        if (options.tls !== undefined) show(server.url, options.tls)
        return {
          url: server.url,
          port: server.port,
          close: (closing) => server.close(closing),
          [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
          setTls: (identity) => {
            server.setTls(identity)
            show(server.url, identity)
          },
        }
      },
    },
  }
}

interface Trust {
  readonly ca: string
  readonly nowMs: number
  readonly name: string | undefined
}

/** Why a client refuses a certificate. */
function refusalOf(pem: string, { ca, nowMs, name }: Trust): string | undefined {
  const cert = parsed(pem)
  const isCurrent = ({ validFrom, validTo }: X509Certificate): boolean =>
    Date.parse(validFrom) <= nowMs && nowMs < Date.parse(validTo)
  if (!isCurrent(cert)) return `valid from ${cert.validFrom} until ${cert.validTo}`
  if (name !== undefined && cert.checkHost(name) === undefined) return `not valid for ${name}`
  const authorities = ca.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []
  const isTrusted = authorities.some((one) => isCurrent(parsed(one)) && hasIssued(one, pem))
  return isTrusted ? undefined : `signed by unknown authority ${cert.issuer}`
}

const certificates = new Map<string, X509Certificate>()

function parsed(pem: string): X509Certificate {
  const known = certificates.get(pem) ?? new X509Certificate(pem)
  certificates.set(pem, known)
  return known
}

const signatures = new Map<string, boolean>()

function hasIssued(authority: string, pem: string): boolean {
  const pair = authority + pem
  const [ca, cert] = [parsed(authority), parsed(pem)]
  const known = signatures.get(pair) ?? (cert.checkIssued(ca) && cert.verify(ca.publicKey))
  signatures.set(pair, known)
  return known
}
