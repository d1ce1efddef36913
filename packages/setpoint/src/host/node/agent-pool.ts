import { createHash } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { TlsClientSettings } from '../http.ts'
import { AGENTS_MAX, FREE_SOCKETS_MAX, TCP_KEEP_ALIVE_MS } from '../limits.ts'

const shared = {
  keepAlive: true,
  keepAliveMsecs: TCP_KEEP_ALIVE_MS,
  maxFreeSockets: FREE_SOCKETS_MAX,
}

const noSettings: TlsClientSettings = {}

/**
 * One keep-alive agent per distinct set of TLS settings: a connection made with one client
 * certificate must never carry a request meant for another. The number of agents is bounded,
 * because rotating certificates bring new settings for ever.
 */
export class AgentPool {
  readonly #agents = new Map<string, HttpAgent>()
  /** Clients pass one settings object for all their requests: it is hashed once, not every time. */
  readonly #digests = new WeakMap<TlsClientSettings, string>()
  readonly #agentsMax: number

  constructor(agentsMax = AGENTS_MAX) {
    this.#agentsMax = agentsMax
  }

  /** The agent for these settings, by content: equal settings share connections. */
  agentFor(secure: boolean, tls: TlsClientSettings = noSettings): HttpAgent {
    const key = secure ? this.#digest(tls) : 'http'
    const agent = this.#agents.get(key) ?? (secure ? httpsAgent(tls) : new HttpAgent(shared))
    this.#agents.delete(key)
    this.#agents.set(key, agent)
    this.#evict()
    return agent
  }

  #digest(tls: TlsClientSettings): string {
    const known = this.#digests.get(tls) ?? digest(tls)
    this.#digests.set(tls, known)
    return known
  }

  #evict(): void {
    for (const [key, agent] of this.#agents) {
      if (this.#agents.size <= this.#agentsMax) return
      this.#agents.delete(key)
      retire(agent)
    }
  }
}

/** Lets requests under way finish: `destroy` would cut them. */
function retire(agent: HttpAgent): void {
  agent.maxFreeSockets = 0
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy()
  }
}

function httpsAgent(tls: TlsClientSettings): HttpsAgent {
  return new HttpsAgent({
    ...shared,
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    rejectUnauthorized: tls.insecureSkipVerify !== true,
  })
}

/** A digest, so that private keys do not live on as the keys of a map. */
function digest(tls: TlsClientSettings): string {
  const parts = [tls.ca, tls.cert, tls.key, tls.serverName, tls.insecureSkipVerify === true]
  return createHash('sha256')
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest('base64')
}
