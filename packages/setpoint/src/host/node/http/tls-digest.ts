import { createHash } from 'node:crypto'
import type { TlsClientSettings } from '../../http/http.ts'

/** Clients pass one settings object for all their requests: it is hashed once, not every time. */
const known = new WeakMap<TlsClientSettings, string>()

/** Tells settings apart by content. A digest, so that private keys do not live on as the keys of a map. */
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
