import { ipBytes, isLoopback, rangeHolds } from './ip-address.ts'

/** The server that an entry of the list is compared with. */
interface Target {
  readonly name: string
  readonly port: string
  /** The bytes, when the name is an IP address. */
  readonly address: readonly number[] | undefined
}

/**
 * Whether a server is reached without the proxy of the environment: all servers on this machine,
 * and those in `NO_PROXY`. It is interpreted as in Go, so that operators and kubectl agree: a name
 * also matches its subdomains, with a leading dot (or `*.`) only those; an address; a range; `*`
 * for all; a port restricts a name or an address. Invalid entries are ignored.
 */
export function isReachedDirectly(server: URL, noProxy: string): boolean {
  const name = server.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port
  const address = ipBytes(name)
  if (name === 'localhost' || (address !== undefined && isLoopback(address))) return true
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && isMatch(entry, { name, port, address }))
}

function isMatch(entry: string, target: Target): boolean {
  if (entry === '*') return true
  const isInRange = rangeHolds(entry, target.address ?? [])
  if (isInRange !== undefined) return target.address !== undefined && isInRange
  const [, bracketed, plain, entryPort] = /^(?:\[(.*)\]|([^:]*)):([^:]*)$/.exec(entry) ?? []
  const host = bracketed ?? plain ?? entry
  const port = entryPort ?? ''
  if (host === '' || (port !== '' && port !== target.port)) return false
  const address = ipBytes(host)
  if (address === undefined) return isInDomain(host, target.name)
  return target.address?.every((byte, index) => byte === address[index]) === true
}

/** `example.com` matches itself and its subdomains, `.example.com` only its subdomains. */
function isInDomain(host: string, name: string): boolean {
  const isOnlyBelow = /^(\*\.|\.)/.test(host)
  const domain = asciiName(host.replace(/^\*?\./, ''))
  return name.endsWith(`.${domain}`) || (!isOnlyBelow && name === domain)
}

/** URLs have ASCII names; a list may have been written by hand. */
function asciiName(name: string): string {
  const isPlain = /^[\x21-\x7e]*$/.test(name)
  return isPlain || !URL.canParse(`http://${name}`) ? name : new URL(`http://${name}`).hostname
}
