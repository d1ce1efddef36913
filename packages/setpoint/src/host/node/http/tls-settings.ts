import { isIP } from 'node:net'
import * as tls from 'node:tls'
import type { TlsClientSettings } from '../../http/http.ts'
import type { ProxyAddress } from '../../http/proxy-address.ts'

/** The settings of a connection to a server, for Node. */
export function targetTls(settings: TlsClientSettings): tls.ConnectionOptions {
  return {
    ca: settings.ca,
    cert: settings.cert,
    key: settings.key,
    ...(settings.serverName === undefined ? {} : { servername: settings.serverName }),
    rejectUnauthorized: settings.insecureSkipVerify !== true,
  }
}

/**
 * The settings of a connection to an `https:` proxy: always verified, because it gets passwords,
 * and without the client certificate, which is for the target. The authorities of the target are
 * trusted besides the system's, because a kubeconfig has no field for the authority of a proxy.
 * (Before Node 22.15 the system's authorities then do not include those of `NODE_EXTRA_CA_CERTS`.)
 */
export function proxyTls(
  proxy: ProxyAddress,
  settings: TlsClientSettings | undefined,
): tls.ConnectionOptions {
  const ca = settings?.ca
  const name = proxy.url.hostname.replace(/^\[|\]$/g, '')
  return {
    ...(ca === undefined ? {} : { ca: [...systemAuthorities(), ca] }),
    // Always set: Node would take the name of the target from the host header.
    servername: isIP(name) === 0 ? name : '',
    rejectUnauthorized: true,
  }
}

function systemAuthorities(): readonly string[] {
  const newer: typeof tls & { readonly getCACertificates?: () => string[] } = tls
  return newer.getCACertificates?.() ?? tls.rootCertificates
}
