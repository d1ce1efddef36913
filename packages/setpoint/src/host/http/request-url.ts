/** The parts of a request URL. */
export interface RequestUrl {
  /** The server: its protocol, host and port. Its other parts may belong to another request. */
  readonly server: URL
  readonly path: string
  /** The query with its question mark; empty when there is none. */
  readonly query: string
}

/** How many servers are cached. */
const serversMax = 32

/** Paths and queries that a parser would not change: no dot segments, nothing to encode. */
const plainPath = /^(?:\/[\w~:@!$&()*+,;=-][\w.~:@!$&()*+,;=-]*)+$/
const plainQuery = /^(?:\?[\w.~:@!$&()*+,;=%/?-]+)?$/

const servers = new Map<string, URL>()

/**
 * Parses the URL of a request; `undefined` when it is invalid. Parsing takes longer than everything
 * else in most requests, and they go to the same few servers: those are parsed once.
 */
export function requestUrl(text: string): RequestUrl | undefined {
  const pathStart = text.indexOf('/', text.indexOf('://') + 3)
  const queryStart = text.indexOf('?')
  const pathEnd = queryStart === -1 ? text.length : queryStart
  const path = pathStart === -1 ? '' : text.slice(pathStart, pathEnd)
  const query = text.slice(pathEnd)
  if (plainPath.test(path) && plainQuery.test(query)) {
    const server = serverOf(text.slice(0, pathStart))
    if (server !== undefined) return { server, path, query }
  }
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return { server: url, path: url.pathname, query: url.search }
}

function serverOf(address: string): URL | undefined {
  const known = servers.get(address)
  if (known !== undefined) return known
  if (!/^https?:\/\/[^@/?#]+$/.test(address) || !URL.canParse(address)) return undefined
  if (servers.size >= serversMax) servers.clear()
  const server = new URL(address)
  servers.set(address, server)
  return server
}
