const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const carriable = /^[\t\x20-\x7e\x80-\xff]*$/

/** The names that were checked: every message has the same few. */
const known = new Map<string, string>()
const knownMax = 200

/** The name of a header in lower case; `undefined` when it is not a valid header name. */
export function headerName(name: string): string | undefined {
  const lower = known.get(name)
  if (lower !== undefined) return lower
  if (!token.test(name)) return undefined
  const checked = name.toLowerCase()
  if (known.size < knownMax) known.set(name, checked)
  return checked
}

/** Whether a header can have this value; a newline could inject a second message. */
export function isHeaderValue(value: string): boolean {
  return carriable.test(value)
}
