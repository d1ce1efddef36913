/** The Warning headers of one answer, without duplicates and limited in length. */
export class WarningList {
  readonly #texts = new Set<string>()

  add(text: string): void {
    if (text !== '') this.#texts.add(text)
  }

  addAll(texts: Iterable<string>): void {
    for (const text of texts) this.add(text)
  }

  /**
   * The values of the Warning headers, one for each warning. When they are too long together, each
   * is cut, and those after the limit are omitted, so that clients accept the head of the answer.
   */
  headers(): string[] {
    const whole: string[] = []
    let length = 0
    for (const text of this.#texts) {
      length += lengthOf(text)
      if (length > totalMax) return this.#cut(whole.length + 1)
      whole.push(headerOf(text))
    }
    return whole
  }

  /** A real server cuts all warnings up to the first that is too much, and then up to the limit. */
  #cut(countMin: number): string[] {
    const cut: string[] = []
    let length = 0
    for (const text of this.#texts) {
      if (cut.length >= countMin && length >= totalMax) break
      const short = [...text.slice(0, 2 * cutTo)].slice(0, cutTo).join('')
      length += lengthOf(short)
      cut.push(headerOf(short))
    }
    return cut
  }
}

/** The number of characters as Go counts them. */
function lengthOf(text: string): number {
  let length = 0
  for (const _character of text.slice(0, 2 * totalMax)) length += 1
  return length
}

function headerOf(text: string): string {
  return `299 - "${escape(text)}"`
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
