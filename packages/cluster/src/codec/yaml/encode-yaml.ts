import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { analyzeScalar, escapeYamlCharacter, readsAsText } from './yaml-scalar-style.ts'

/** Lines are folded at the first space after this column. */
const widthMax = 80
/** Longer keys are written with a question mark. */
const simpleKeyMax = 128

/**
 * YAML as a real server prints it (sigs.k8s.io/yaml): sorted keys, two spaces, lists not indented,
 * long strings folded.
 */
export function encodeYaml(value: JsonValue): string {
  const writer = new YamlWriter()
  writer.root(value)
  return writer.text
}

class YamlWriter {
  text = ''
  #column = 0

  root(value: JsonValue): void {
    this.#value(value, { indent: 0, isInline: true, isInList: false })
    this.#newLine()
  }

  #write(piece: string): void {
    this.text += piece
    this.#column += piece.length
  }

  #newLine(): void {
    if (this.#column === 0) return
    this.text += '\n'
    this.#column = 0
  }

  #indent(spaces: number): void {
    this.#newLine()
    this.#write(' '.repeat(spaces))
  }

  /** `isInline`: the first key or item may be on this line, as after a dash. */
  #value(
    value: JsonValue,
    place: { readonly indent: number; readonly isInline: boolean; readonly isInList: boolean },
  ): void {
    const { indent, isInline } = place
    if (Array.isArray(value)) {
      if (value.length === 0) this.#write(isInline ? '[]' : ' []')
      else this.#list(value, place)
    } else if (isJsonObject(value)) {
      if (Object.keys(value).length === 0) this.#write(isInline ? '{}' : ' {}')
      else this.#map(value, indent, isInline)
    } else {
      if (!isInline) this.#write(' ')
      this.#scalar(value, indent)
    }
  }

  #list(
    items: readonly JsonValue[],
    { indent, isInline }: { readonly indent: number; readonly isInline: boolean },
  ): void {
    for (const [index, item] of items.entries()) {
      if (index > 0 || !isInline) this.#indent(indent)
      this.#write('- ')
      this.#value(item, { indent: indent + 2, isInline: true, isInList: true })
    }
  }

  #map(object: JsonObject, indent: number, isInline: boolean): void {
    for (const [index, key] of Object.keys(object).sort(compareNaturally).entries()) {
      if (index > 0 || !isInline) this.#indent(indent)
      this.#key(key, indent)
      const value = object[key] as JsonValue
      // Lists have the indentation of their key, maps two more.
      const inner = Array.isArray(value) ? indent : indent + 2
      this.#value(value, { indent: inner, isInline: false, isInList: false })
    }
  }

  #key(key: string, indent: number): void {
    const isSimple = key.length <= simpleKeyMax
    if (!isSimple) this.#write('? ')
    if (readsAsText(key) && analyzeScalar(key).plainAllowed) this.#write(key)
    else if (readsAsText(key) && analyzeScalar(key).singleQuotedAllowed) {
      this.#write(`'${key.replaceAll("'", "''")}'`)
    } else this.#write(`"${[...key].map(escapeYamlCharacter).join('')}"`)
    if (!isSimple) this.#indent(indent)
    this.#write(':')
  }

  #scalar(value: string | number | bigint | boolean | null, indent: number): void {
    if (typeof value === 'number') this.#write(floatText(value))
    else if (typeof value !== 'string') this.#write(String(value))
    else this.#string(value, indent)
  }

  #string(text: string, indent: number): void {
    const { plainAllowed, singleQuotedAllowed, blockAllowed } = analyzeScalar(text)
    if (text.includes('\n')) {
      if (blockAllowed) this.#literal(text, indent)
      else this.#doubleQuoted(text, indent)
    } else if (!readsAsText(text)) this.#doubleQuoted(text, indent)
    else if (plainAllowed) this.#folded(text, indent)
    else if (singleQuotedAllowed) {
      this.#write("'")
      this.#folded(text.replaceAll("'", "''"), indent)
      this.#write("'")
    } else this.#doubleQuoted(text, indent)
  }

  #literal(text: string, indent: number): void {
    const hint = /^[ \n]/.test(text) ? '2' : ''
    const chomp = !text.endsWith('\n') ? '-' : /(?:^|\n)\n$/.test(text) ? '+' : ''
    this.#write(`|${hint}${chomp}`)
    this.text += '\n'
    const lines = text.replace(/\n$/, '').split('\n')
    this.text += lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')
    this.text += '\n'
    this.#column = 0
  }

  /** Breaks at single spaces, as the emitter does for plain and single-quoted strings. */
  #folded(text: string, indent: number): void {
    const pieces = text.split(/(?<=[^ ]) (?=[^ ])/)
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) {
        if (this.#column > widthMax) this.#indent(indent)
        else this.#write(' ')
      }
      this.text += piece
      this.#column += [...piece].length
    }
  }

  #doubleQuoted(text: string, indent: number): void {
    this.#write('"')
    const characters = [...text]
    for (const [index, char] of characters.entries()) {
      const isInside = index > 0 && index < characters.length - 1
      const isFirstSpace = char === ' ' && characters[index - 1] !== ' '
      if (isFirstSpace && isInside && this.#column > widthMax) {
        this.#indent(indent)
        if (characters[index + 1] === ' ') this.#write('\\')
      } else this.#write(escapeYamlCharacter(char))
    }
    this.#write('"')
  }
}

/** Go's shortest form, with an exponent below 1e-4 and from 1e6 on (`%g`); integers have none. */
function floatText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 21) return String(value)
  const sign = power < 0 ? '-' : '+'
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}`
}

const letter = /\p{L}/u
const digit = /\p{Nd}/u

/** The order of keys in Go's yaml: letters after other characters, numbers by value. */
function compareNaturally(a: string, b: string): number {
  const left = [...a]
  const right = [...b]
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const x = left[index] ?? ''
    const y = right[index] ?? ''
    if (x === y) continue
    const isLetterX = letter.test(x)
    const isLetterY = letter.test(y)
    if (isLetterX !== isLetterY) return isLetterY ? -1 : 1
    if (!isLetterX) {
      const difference = compareNumbers(left, right, index)
      if (difference !== 0) return difference
    }
    return (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0)
  }
  return left.length - right.length
}

function compareNumbers(a: readonly string[], b: readonly string[], start: number): number {
  const prefix = isAfterNonZeroDigit(a, start) && (a[start] === '0' || b[start] === '0') ? '1' : ''
  const left = digitsFrom(a, start)
  const right = digitsFrom(b, start)
  const difference = Number(prefix + left || '0') - Number(prefix + right || '0')
  return difference === 0 ? left.length - right.length : difference
}

function isAfterNonZeroDigit(text: readonly string[], index: number): boolean {
  for (let at = index - 1; at >= 0 && digit.test(text[at] ?? ''); at--) {
    if (text[at] !== '0') return true
  }
  return false
}

function digitsFrom(text: readonly string[], start: number): string {
  let end = start
  while (end < text.length && digit.test(text[end] ?? '')) end++
  return text.slice(start, end).join('')
}
