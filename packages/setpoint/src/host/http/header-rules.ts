const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const carriable = /^[\t\x20-\x7e\x80-\xff]*$/

/** The names that were checked: programs and servers send the same few with every message. */
const known = new Map<string, string>()
const knownMax = 200

/** The name of a header in lower case; `undefined` when no header can be called so. */
export function headerName(name: string): string | undefined {
  const lower = known.get(name)
  if (lower !== undefined) return lower
  if (!token.test(name)) return undefined
  const checked = name.toLowerCase()
  if (known.size < knownMax) known.set(name, checked)
  return checked
}

/** Whether HTTP can carry this in a header; a newline could smuggle in a second message. */
export function isHeaderValue(value: string): boolean {
  return carriable.test(value)
}
