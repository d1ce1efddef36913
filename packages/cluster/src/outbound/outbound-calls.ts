import { type HttpResponse, type Network, readBytes, type Timers } from 'setpoint/host'
import { callPod } from './call-pod.ts'
import { goNetworkError } from './go-network-error.ts'
import { OutboundError } from './outbound-error.ts'
import type { ServiceReference, ServiceRoutes } from './service-routes.ts'
import { failedResponse } from './failed-response.ts'

/** The address of a server, as in the configuration of a webhook. */
export interface ClientConfig {
  readonly url?: string | undefined
  readonly service?: ServiceReference | undefined
  /** PEM text in base64. */
  readonly caBundle?: string | undefined
}

/** A request with a body of JSON. */
interface Call {
  readonly body: string
  readonly timeoutSeconds: number
}

interface CallsOptions {
  readonly host: Network & Timers
  readonly routes: ServiceRoutes
}

/** The largest response that is read. */
const responseBytesMax = 3 * 1024 * 1024

/** Calls the webhooks of a cluster. */
export class OutboundCalls {
  readonly #options: CallsOptions

  constructor(options: CallsOptions) {
    this.#options = options
  }

  /** Posts JSON and returns the text of the response; throws an `OutboundError`. */
  async post(config: ClientConfig, { body, timeoutSeconds }: Call): Promise<string> {
    const url = `${shownUrl(config)}?timeout=${timeoutSeconds}s`
    let response: HttpResponse
    let text: string
    try {
      response = await this.#send(config, url, { body, timeoutSeconds })
      text = Buffer.from(await readBytes(response.body, responseBytesMax)).toString('utf8')
    } catch (error) {
      throw new OutboundError(`Post ${JSON.stringify(url)}: ${goNetworkError(error, url)}`)
    }
    const { status, headers } = response
    if (status < 200 || status > 206) throw failedResponse({ status, headers, text })
    if (text !== '') return text
    const type = headers['content-type'] ?? 'application/json'
    throw new OutboundError(
      `0-length response with status code: ${status} and content type: ${type}`,
    )
  }

  async #send(config: ClientConfig, url: string, call: Call): Promise<HttpResponse> {
    const { host, routes } = this.#options
    const timeoutMs = call.timeoutSeconds * 1000
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'user-agent': 'kube-apiserver-admission',
    }
    const ca = config.caBundle === undefined ? undefined : pemOf(config.caBundle)
    if (config.service === undefined) {
      const request = { method: 'POST', url, headers, body: call.body, tls: { ca } }
      return host.request({ ...request, timeoutMs, connectTimeoutMs: timeoutMs })
    }
    const { host: authority, hostname, pathname, search } = new URL(url)
    const destination = routes.resolve(config.service)
    const path = pathname + search
    const request = { method: 'POST', headers: { host: authority, ...headers }, body: call.body }
    if ('handle' in destination) {
      return callPod(host, { ...request, url }, { ...destination, path, timeoutMs })
    }
    const tls = { ca, serverName: hostname }
    const timeouts = { timeoutMs, connectTimeoutMs: timeoutMs }
    return host.request({ ...request, url: destination.origin + path, tls, ...timeouts })
  }
}

/** The URL that messages show: that of a Service has its name. */
function shownUrl({ url, service }: ClientConfig): string {
  if (service === undefined) return url ?? ''
  const { name, namespace, port = 443, path = '' } = service
  const rest = path === '' || path.startsWith('/') ? path : `/${path}`
  return `https://${name}.${namespace}.svc:${port}${rest === '' ? '/' : rest}`
}

function pemOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}
