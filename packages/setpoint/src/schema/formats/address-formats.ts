/** The formats `ipv4`, `ipv6`, `cidr` and `mac`, as in Go's standard library. */

/** Four decimal bytes; Kubernetes tolerates leading zeros here. */
function isDottedQuad(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^[0-9]+$/.test(part) && Number(part) <= 255)
}

/** Strict variant inside IPv6 addresses, where leading zeros are refused. */
function isStrictDottedQuad(text: string): boolean {
  return isDottedQuad(text) && text.split('.').every((part) => !/^0[0-9]/.test(part))
}

/**
 * Eight groups of up to four hex digits, one run of zeros as `::`, an IPv4 address as the last two.
 */
function isIpv6Address(text: string, isQuad: (text: string) => boolean): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1)
  const hasQuad = last?.includes('.') === true
  if (hasQuad && (text.endsWith('::') || !isQuad(last))) return false
  const hexGroups = hasQuad ? groups.slice(0, -1) : groups
  if (!hexGroups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false
  const size = hexGroups.length + (hasQuad ? 2 : 0)
  return halves.length === 2 ? size < 8 : size === 8
}

/** `ipv4`: an address with a dot, which an IPv6 address with an IPv4 tail has too. */
export function isIpv4(text: string): boolean {
  return text.includes(':')
    ? text.includes('.') && isIpv6Address(text, isDottedQuad)
    : isDottedQuad(text)
}

/** `ipv6`: an address with a colon; zones (`%eth0`) are refused. */
export function isIpv6(text: string): boolean {
  return text.includes(':') && isIpv6Address(text, isStrictDottedQuad)
}

/** `cidr`: an address and a prefix length without leading zeros. */
export function isCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (prefix === undefined || rest.length > 0 || !/^[0-9]+$/.test(prefix)) return false
  if (isDottedQuad(address)) return Number(prefix) <= 32
  return isIpv6Address(address, isDottedQuad) && address.includes(':') && Number(prefix) <= 128
}

/** `mac`: 6, 8 or 20 bytes, as `aa:bb`, `aa-bb`, `aabb.ccdd` or without separators. */
export function isMac(text: string): boolean {
  if (/^[0-9a-fA-F]+$/.test(text)) return [12, 16, 40].includes(text.length)
  const pairs = /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2})*)$/.test(text)
  if (pairs) return [6, 8, 20].includes((text.length + 1) / 3)
  const quads = /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text)
  return quads && [6, 8, 20].includes(((text.length + 1) / 5) * 2)
}
