import type {
  HttpPayload,
  HttpRequestHeaders,
  HttpResponse,
  Network,
  PeerCertificate,
  Timers,
} from 'setpoint/host'
import { callPod } from './call-pod.ts'
import { goNetworkError } from './go-network-error.ts'
import { OutboundError } from './outbound-error.ts'
import type { ServiceReference, ServiceRoutes } from './service-routes.ts'

/** A server behind a Service, as in the spec of an APIService. */
export interface ProxyTarget {
  readonly service: ServiceReference
  /** PEM text in base64. */
  readonly caBundle?: string | undefined
  readonly insecureSkipTLSVerify?: boolean | undefined
}

/** A request that is passed on. Its bodies are streams in both directions. */
interface ForwardedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: HttpRequestHeaders
  readonly body?: HttpPayload | undefined
  readonly signal?: AbortSignal | undefined
  /** How long the head of the response may take; unlimited by default. */
  readonly timeoutMs?: number | undefined
}

interface ProxyOptions {
  readonly host: Network & Timers
  readonly routes: ServiceRoutes
  /** The certificate by which servers recognise the API server, as PEM text. */
  readonly credential: () => { readonly cert: string; readonly key: string }
}

/** Passes requests on to the servers of aggregated APIs. */
export class ServiceProxy {
  readonly #options: ProxyOptions
  #credential: ReturnType<ProxyOptions['credential']> | undefined

  constructor(options: ProxyOptions) {
    this.#options = options
  }

  /** The URL of a server in messages; throws an `OutboundError` if it has none. */
  origin({ service }: ProxyTarget): string {
    return this.#options.routes.origin(service)
  }

  /** Whether the requests for a Service go to another address than its pods. */
  isForwarded({ service: { namespace, name } }: ProxyTarget): boolean {
    return this.#options.routes.isForwarded(`${namespace}/${name}`)
  }

  /** Resolves with the head of the response; throws an `OutboundError`. */
  async send(target: ProxyTarget, request: ForwardedRequest): Promise<HttpResponse> {
    const { host, routes } = this.#options
    const { path, timeoutMs = Infinity, ...sent } = request
    const origin = routes.origin(target.service)
    const headers = { host: origin.replace(/^https?:\/\//, ''), ...sent.headers }
    const destination = routes.resolve(target.service)
    const credential = (this.#credential ??= this.#options.credential())
    try {
      if ('handle' in destination) {
        const { handle } = destination
        const call = { handle, path, timeoutMs, certificate: certificateOf(credential.cert) }
        const url = origin + path
        return await callPod(host, { ...sent, headers, url }, call)
      }
      return await host.request({
        ...sent,
        headers,
        url: destination.origin + path,
        tls: tlsOf(target, credential),
        ...(timeoutMs === Infinity ? {} : { timeoutMs, timeoutOf: 'head' }),
        connectTimeoutMs: Math.min(timeoutMs, connectTimeoutMs),
      })
    } catch (error) {
      if (request.signal?.aborted === true) throw error
      throw new OutboundError(goNetworkError(error, origin + path))
    }
  }
}

const connectTimeoutMs = 30_000

function tlsOf(
  { service, caBundle, insecureSkipTLSVerify }: ProxyTarget,
  credential: { readonly cert: string; readonly key: string },
) {
  return {
    ...credential,
    serverName: `${service.name}.${service.namespace}.svc`,
    ca: caBundle === undefined ? undefined : Buffer.from(caBundle, 'base64').toString('utf8'),
    insecureSkipVerify: insecureSkipTLSVerify === true,
  }
}

/** The certificate as a server in this process receives it. */
function certificateOf(pem: string): PeerCertificate {
  const base64 = pem.replace(/-----[A-Z ]+-----|\s/g, '')
  const der = Uint8Array.from(Buffer.from(base64, 'base64'))
  return { der, subject: { CN: [frontProxyName] }, verified: true }
}

/** The name in the certificate, which servers allow. */
export const frontProxyName = 'front-proxy-client'
