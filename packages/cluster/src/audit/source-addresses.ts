const part = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const versionFour = new RegExp(`^${part}(\\.${part}){3}$`)
const versionSix = /^[0-9a-f]*:[0-9a-f:.]*$/i

function isAddress(text: string): boolean {
  return versionFour.test(text) || versionSix.test(text)
}

/**
 * The addresses that a request came through: those that proxies state, and last the one of the
 * connection, which a client cannot choose.
 */
export function sourceAddresses(
  headers: Readonly<Record<string, string>>,
  peerAddress: string,
): string[] {
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((part) => part.trim())
  const found = forwarded.filter((address) => isAddress(address))
  const real = (headers['x-real-ip'] ?? '').trim()
  if (isAddress(real) && !found.includes(real)) found.push(real)
  const peer = peerAddress.replace(/^::ffff:/, '')
  if (isAddress(peer) && found.at(-1) !== peer) found.push(peer)
  return found
}
