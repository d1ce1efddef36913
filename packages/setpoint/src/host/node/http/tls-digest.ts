import { createHash } from 'node:crypto'
import type { TlsClientSettings } from '../../http/http.ts'

/** Clients pass the same settings object with all requests: it is hashed once. */
const known = new WeakMap<TlsClientSettings, string>()

/** Identifies settings by content. A digest, so that private keys are not kept as keys of a map. */
export function tlsDigest(tls: TlsClientSettings): string {
  const digest = known.get(tls) ?? digestOf(tls)
  known.set(tls, digest)
  return digest
}

function digestOf(tls: TlsClientSettings): string {
  const parts = [tls.ca, tls.cert, tls.key, tls.serverName, tls.insecureSkipVerify === true]
  return createHash('sha256')
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest('base64')
}
