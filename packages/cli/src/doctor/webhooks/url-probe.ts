import { isSetpointError } from 'setpoint'
import type { Network } from 'setpoint/host'
import type { CalledServer } from './called-servers.ts'

/** Whether this machine reaches a server by its URL, and trusts its certificate. */
export type UrlProbe =
  | { readonly result: 'reached' }
  | { readonly result: 'untrusted' | 'unreachable'; readonly why: string }

const timeoutMs = 5000

/**
 * Sends a GET request to the URL, which reviews nothing. Any response shows that the server is
 * there and has a certificate that its CA bundle trusts.
 */
async function probeUrl(
  host: Network,
  { url, caBundle }: { readonly url: string; readonly caBundle: string | undefined },
): Promise<UrlProbe> {
  const tls = caBundle === undefined ? {} : { ca: atob(caBundle) }
  try {
    const connectTimeoutMs = timeoutMs
    const response = await host.request({ method: 'GET', url, tls, timeoutMs, connectTimeoutMs })
    await response.body[Symbol.asyncIterator]().return()
    return { result: 'reached' }
  } catch (error) {
    if (!isSetpointError(error)) throw error
    const result = error.code === 'NETWORK_TLS_FAILED' ? 'untrusted' : 'unreachable'
    return { result, why: error.message.split('\n')[0] ?? error.message }
  }
}

/** Probes the URLs of own servers. Those of other programs are not called. */
export async function probeOwnUrls(
  host: Network,
  servers: readonly CalledServer[],
): Promise<ReadonlyMap<CalledServer, UrlProbe>> {
  const probes = servers.flatMap((server) => {
    const { url, isOwn, caBundle } = server
    if (url === undefined || !isOwn) return []
    return [probeUrl(host, { url, caBundle }).then((probe) => [server, probe] as const)]
  })
  return new Map(await Promise.all(probes))
}
