/** The path and query as a Go server reads and writes them: decoded, and sorted by key. */
export function forwardedPath(target: string): string {
  const [path = '', query = ''] = splitOnce(target, '?')
  const shown = path.includes('%') ? decodedPath(path) : path
  const pairs = [...new URLSearchParams(query)]
  if (pairs.length === 0) return shown
  const keys = [...new Set(pairs.map(([key]) => key))].sort()
  const sorted = keys.flatMap((key) =>
    pairs
      .filter(([other]) => other === key)
      .map(([, value]) => `${escapedQuery(key)}=${escapedQuery(value)}`),
  )
  return `${shown}?${sorted.join('&')}`
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function decodedPath(path: string): string {
  try {
    return encodeURI(decodeURIComponent(path)).replace(/[?#!'()*]/g, percentEncoded)
  } catch {
    // The bytes are not UTF-8: they are passed on as they are.
    return path
  }
}

function escapedQuery(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, percentEncoded)
    .replaceAll('%20', '+')
}

function percentEncoded(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}
