/** How many different warnings are remembered; beyond it, old ones may be told again. */
const rememberedMax = 1000

/** Tells each warning of the server once per process, however many requests it comes back on. */
export class WarningSink {
  readonly #tell: (text: string) => void
  #told = new Set<string>()

  constructor(tell: (text: string) => void) {
    this.#tell = tell
  }

  /** Takes the Warning header of an answer. */
  take(header: string | undefined): void {
    if (header === undefined) return
    for (const text of warningTexts(header)) {
      if (this.#told.has(text)) continue
      if (this.#told.size >= rememberedMax) this.#told = new Set()
      this.#told.add(text)
      this.#tell(text)
    }
  }
}

/** The texts of a Warning header: `299 - "text"`, several joined by commas (RFC 7234, 5.5). */
function warningTexts(header: string): string[] {
  const texts: string[] = []
  for (const [, quoted = ''] of header.matchAll(/\b\d{3} [^\s"]+ "((?:[^"\\]|\\.)*)"/g)) {
    texts.push(utf8(quoted.replace(/\\(.)/g, '$1')))
  }
  return texts
}

/** Headers arrive as bytes; API servers write UTF-8 into them. */
function utf8(latin: string): string {
  if (!/[\x80-\xff]/.test(latin)) return latin
  return new TextDecoder().decode(Uint8Array.from(latin, (char) => char.charCodeAt(0)))
}
