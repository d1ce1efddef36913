import { ipBytes, isLoopback, rangeHolds } from './ip-address.ts'

/** Whom an entry of the list is compared with. */
interface Target {
  readonly name: string
  readonly port: string
  /** When the name is an address. */
  readonly address: readonly number[] | undefined
}

/**
 * Whether a server is reached without the proxy that the environment names: every server of this
 * machine is, and what `NO_PROXY` lists. It is read as Go reads it, so that operators and kubectl
 * agree: a name also means what is below it, with a dot (or `*.`) in front only that; an address, a
 * range, `*` for all; a port narrows a name or an address. What makes no sense is passed over.
 */
export function isReachedDirectly(server: URL, noProxy: string): boolean {
  const name = server.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port
  const address = ipBytes(name)
  if (name === 'localhost' || (address !== undefined && isLoopback(address))) return true
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && isMeant(entry, { name, port, address }))
}

function isMeant(entry: string, target: Target): boolean {
  if (entry === '*') return true
  const isInRange = rangeHolds(entry, target.address ?? [])
  if (isInRange !== undefined) return target.address !== undefined && isInRange
  const [, bracketed, plain, entryPort] = /^(?:\[(.*)\]|([^:]*)):([^:]*)$/.exec(entry) ?? []
  const host = bracketed ?? plain ?? entry
  const port = entryPort ?? ''
  if (host === '' || (port !== '' && port !== target.port)) return false
  const address = ipBytes(host)
  if (address === undefined) return isBelow(host, target.name)
  return target.address?.every((byte, index) => byte === address[index]) === true
}

/** `example.com` means itself and what is below it, `.example.com` only what is below. */
function isBelow(host: string, name: string): boolean {
  const isOnlyBelow = /^(\*\.|\.)/.test(host)
  const domain = asciiName(host.replace(/^\*?\./, ''))
  return name.endsWith(`.${domain}`) || (!isOnlyBelow && name === domain)
}

/** URLs have their names in ASCII; a list may have been written by a person. */
function asciiName(name: string): string {
  const isPlain = /^[\x21-\x7e]*$/.test(name)
  return isPlain || !URL.canParse(`http://${name}`) ? name : new URL(`http://${name}`).hostname
}
