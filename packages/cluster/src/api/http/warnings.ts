/** The Warning headers of one answer, without duplicates and limited in length. */
export class WarningList {
  readonly #texts = new Set<string>()

  add(text: string): void {
    if (text !== '') this.#texts.add(text)
  }

  addAll(texts: Iterable<string>): void {
    for (const text of texts) this.add(text)
  }

  /** The value of the Warning header, or `undefined` when there are no warnings. */
  header(): string | undefined {
    if (this.#texts.size === 0) return undefined
    const texts = [...this.#texts]
    const total = texts.reduce((sum, text) => sum + text.length, 0)
    // Long texts are cut so that the headers stay within what clients accept.
    const shown =
      total <= totalMax ? texts : texts.map((text) => [...text].slice(0, cutTo).join(''))
    return shown.map((text) => `299 - "${escape(text)}"`).join(', ')
  }
}

const totalMax = 4 * 1024
const cutTo = 256

function escape(text: string): string {
  const printable = text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')
  const latin = Array.from(printable, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x80 ? character : utf8AsLatin1(character)
  })
  return latin.join('').replace(/[\\"]/g, (character) => `\\${character}`)
}

/** Headers are bytes; a real server writes UTF-8 into them. */
function utf8AsLatin1(character: string): string {
  return String.fromCharCode(...new TextEncoder().encode(character))
}
