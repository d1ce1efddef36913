/** How many different warnings are remembered; beyond it, old ones may be reported again. */
const rememberedMax = 1000

/** Reports each warning of the server once per process. */
export class WarningSink {
  readonly #report: (text: string) => void
  #reported = new Set<string>()

  constructor(report: (text: string) => void) {
    this.#report = report
  }

  /** Takes the Warning header of a response. */
  take(header: string | undefined): void {
    if (header === undefined) return
    for (const text of warningTexts(header)) {
      if (this.#reported.has(text)) continue
      if (this.#reported.size >= rememberedMax) this.#reported = new Set()
      this.#reported.add(text)
      this.#report(text)
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

/** Headers arrive as Latin-1; API servers write UTF-8 into them. */
function utf8(latin: string): string {
  if (!/[\x80-\xff]/.test(latin)) return latin
  return new TextDecoder().decode(Uint8Array.from(latin, (char) => char.charCodeAt(0)))
}
