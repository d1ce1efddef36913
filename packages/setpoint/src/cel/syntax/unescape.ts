/** The values of string and bytes literals. */

const simple: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '`': 96,
  '?': 63,
}

/** The value of a literal, or the error in it. */
type Unescaped<Value> =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string }

/** The text of a string literal with its quotes. */
export function unescapeString(literal: string): Unescaped<string> {
  const { body, isRaw } = bodyOf(literal)
  if (isRaw) return { value: body }
  let problem: string | undefined
  const value = body.replace(escapePattern, (sequence) => {
    const code = codeOf(sequence)
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      problem ??= 'invalid unicode code point'
      return ''
    }
    return String.fromCodePoint(code)
  })
  return problem === undefined ? { value } : { error: problem }
}

/** The bytes of a bytes literal with its prefix and quotes. */
export function unescapeBytes(literal: string): Unescaped<Uint8Array> {
  const { body, isRaw } = bodyOf(literal.slice(1))
  if (isRaw) return { value: new TextEncoder().encode(body) }
  const bytes: number[] = []
  let from = 0
  for (const match of body.matchAll(escapePattern)) {
    const sequence = match[0]
    if (/^\\[uU]/.test(sequence)) return { error: 'unable to unescape string' }
    bytes.push(...new TextEncoder().encode(body.slice(from, match.index)), codeOf(sequence))
    from = match.index + sequence.length
  }
  bytes.push(...new TextEncoder().encode(body.slice(from)))
  return { value: Uint8Array.from(bytes) }
}

const escapePattern = /\\(?:[0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^])/gu

function codeOf(sequence: string): number {
  const letter = sequence[1] ?? ''
  if (/[xXuU]/.test(letter)) return Number.parseInt(sequence.slice(2), 16)
  if (/[0-3]/.test(letter)) return Number.parseInt(sequence.slice(1), 8)
  return simple[letter] ?? 0
}

function bodyOf(literal: string): { readonly body: string; readonly isRaw: boolean } {
  const isRaw = /^[rR]/.test(literal)
  const quoted = (isRaw ? literal.slice(1) : literal).replace(/\r\n?/g, '\n')
  const isTriple = quoted.length >= 6 && /^(?:"""|''')/.test(quoted)
  const width = isTriple ? 3 : 1
  return { body: quoted.slice(width, -width), isRaw }
}
