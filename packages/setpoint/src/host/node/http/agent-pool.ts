import { createHash } from 'node:crypto'
import type { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { TlsClientSettings } from '../../http/http.ts'
import { AGENTS_MAX, FREE_SOCKETS_MAX, TCP_KEEP_ALIVE_MS } from '../../limits.ts'
import type { ProxyAddress } from '../../http/proxy-address.ts'
import { tlsDigest } from './tls-digest.ts'
import { proxyTls, targetTls } from './tls-settings.ts'
import { TunnelAgent } from './tunnel.ts'
import { nodeHttp } from './node-http.ts'

const shared = {
  keepAlive: true,
  keepAliveMsecs: TCP_KEEP_ALIVE_MS,
  maxFreeSockets: FREE_SOCKETS_MAX,
}

const noSettings: TlsClientSettings = {}

/**
 * One keep-alive agent per distinct TLS settings and proxy: a connection with one client
 * certificate, or with one proxy account, must never carry the request of another. The number of
 * agents is limited, because rotating certificates keep adding settings.
 */
export class AgentPool {
  readonly #agents = new Map<string, HttpAgent>()
  readonly #agentsMax: number

  constructor(agentsMax = AGENTS_MAX) {
    this.#agentsMax = agentsMax
  }

  /**
   * The agent for these settings, by content: equal settings share connections. `secure` refers to
   * the target, not to the proxy.
   */
  agentFor(secure: boolean, tls: TlsClientSettings = noSettings, proxy?: ProxyAddress): HttpAgent {
    const usesTls = secure || proxy?.isSecure === true
    const way = proxy === undefined ? '' : ` ${secure ? 'through' : 'at'} ${proxyDigest(proxy)}`
    const key = (usesTls ? tlsDigest(tls) : 'http') + way
    const agent = this.#agents.get(key) ?? newAgent({ secure, tls, proxy })
    this.#agents.delete(key)
    this.#agents.set(key, agent)
    this.#evict()
    return agent
  }

  /** An agent for one request, whose connection no other request can have. */
  agentForOne(
    secure: boolean,
    tls: TlsClientSettings = noSettings,
    proxy?: ProxyAddress,
  ): HttpAgent {
    return newAgent({ secure, tls, proxy }, { keepAlive: false })
  }

  #evict(): void {
    for (const [key, agent] of this.#agents) {
      if (this.#agents.size <= this.#agentsMax) return
      this.#agents.delete(key)
      retire(agent)
    }
  }
}

/** Lets requests in progress finish: `destroy` would cut them. */
function retire(agent: HttpAgent): void {
  agent.maxFreeSockets = 0
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy()
  }
}

/** The server, and the way to it. */
interface AgentSettings {
  readonly secure: boolean
  readonly tls: TlsClientSettings
  readonly proxy: ProxyAddress | undefined
}

function newAgent(
  { secure, tls, proxy }: AgentSettings,
  connections: { readonly keepAlive: boolean } = shared,
): HttpAgent {
  if (secure) {
    const options = { ...connections, ...targetTls(tls) }
    return proxy === undefined ? new HttpsAgent(options) : new TunnelAgent(options)
  }
  if (proxy?.isSecure === true) return new HttpsAgent({ ...connections, ...proxyTls(proxy, tls) })
  return new nodeHttp.Agent(connections)
}

function proxyDigest({ name, authorization }: ProxyAddress): string {
  return createHash('sha256')
    .update(JSON.stringify([name, authorization ?? null]))
    .digest('base64')
}
