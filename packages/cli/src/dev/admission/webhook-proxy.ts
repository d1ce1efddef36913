import { join } from 'node:path'
import { CertificateAuthority } from 'setpoint/certificates'
import { isSetpointError, localServiceHost } from 'setpoint'
import {
  type Host,
  type HttpResponse,
  type HttpServer,
  readBytes,
  type ServerRequest,
  type ServerResponse,
} from 'setpoint/host'
import { devFolder } from '../../access/index.ts'

/** Where the proxy listens, and how API servers reach it. */
interface ProxyOptions {
  /** The project's folder. */
  readonly folder: string
  /** A free port by default. */
  readonly port?: number | undefined
  /** The URL by which the API server reaches this machine; the address of the proxy by default. */
  readonly url?: string | undefined
}

/** The folder with the certificate, below the folder of `setpoint dev`. */
const certificatesName = 'webhooks'

/** How often a request is sent again while the operators are being reloaded. */
const retryMs = 50

/** The longest timeout of a webhook. */
const waitMsMax = 30_000

const bodyBytesMax = 32 * 1024 * 1024

/**
 * The address at which API servers call the webhooks of operators during development. It stays the
 * same when the operators are reloaded: requests wait for the new process.
 */
export class WebhookProxy implements AsyncDisposable {
  /** The URL by which API servers reach it. */
  readonly url: string
  /** The options by which the process with the operators serves its webhooks. */
  readonly options: readonly string[]
  readonly #host: Host
  readonly #server: HttpServer
  readonly #directory: string

  private constructor(
    host: Host,
    server: HttpServer,
    parts: Pick<WebhookProxy, 'options' | 'url'> & { directory: string },
  ) {
    this.#host = host
    this.#server = server
    this.options = parts.options
    this.url = parts.url
    this.#directory = parts.directory
  }

  static async start(host: Host, { folder, port, url }: ProxyOptions): Promise<WebhookProxy> {
    const names = url === undefined ? [] : [new URL(url).hostname]
    const authority = new CertificateAuthority(host, { commonName: 'setpoint-dev' })
    const hosts = ['127.0.0.1', 'localhost', localServiceHost, ...names]
    const tls = authority.issue('setpoint-dev', { use: 'server', hosts })
    const directory = join(folder, devFolder, certificatesName)
    await host.makeDirectory(directory)
    await host.writeFile(join(directory, '..', '.gitignore'), '*\n')
    await host.writeFile(join(directory, 'ca.crt'), authority.cert)
    await host.writeFile(join(directory, 'tls.crt'), tls.cert)
    await host.writeFile(join(directory, 'tls.key'), tls.key, { mode: 0o600 })
    const target = await freePort(host)
    const forward = (request: ServerRequest): Promise<ServerResponse> =>
      forwarded(host, request, { url: `https://127.0.0.1:${target}`, ca: authority.cert })
    const server = await host.listen({
      ...(port === undefined ? {} : { port }),
      tls,
      handle: forward,
    })
    const reached = url ?? server.url
    const address = ['--webhook-url', reached, '--webhook-port', String(target)]
    const options = [...address, '--webhook-certificates', directory]
    return new WebhookProxy(host, server, { options, directory, url: reached })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close({ graceMs: 0 })
    await this.#host.remove(this.#directory)
  }
}

/** A port that no other program uses. */
async function freePort(host: Host): Promise<number> {
  const server = await host.listen({ handle: async () => ({ status: 404 }) })
  const { port } = server
  await server.close({ graceMs: 0 })
  return port
}

/** Sends a request to the operators; while they do not listen, it waits for them. */
async function forwarded(
  host: Host,
  { method, path, headers, body, signal }: ServerRequest,
  target: { readonly url: string; readonly ca: string },
): Promise<ServerResponse> {
  const content = await readBytes(body, bodyBytesMax)
  const endMs = host.monotonicMs() + waitMsMax
  for (;;) {
    try {
      const response: HttpResponse = await host.request({
        method,
        url: `${target.url}${path}`,
        headers: { 'content-type': headers['content-type'] ?? 'application/json' },
        body: content,
        signal,
        tls: { ca: target.ca },
        timeoutMs: waitMsMax,
      })
      const { 'content-type': type = 'application/json' } = response.headers
      return { status: response.status, headers: { 'content-type': type }, body: response.body }
    } catch (error) {
      // A process that stops may close a connection that was just opened: reviews can be repeated.
      const isAway =
        isSetpointError(error, 'NETWORK_CONNECT_FAILED') ||
        isSetpointError(error, 'NETWORK_CONNECTION_LOST')
      if (!isAway || host.monotonicMs() >= endMs) throw error
      await host.sleep(retryMs, signal)
    }
  }
}
