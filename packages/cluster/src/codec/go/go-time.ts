/** Times and durations, parsed and printed as in Go, with the messages of Go's `time` package. */

/** A time or duration that Go cannot parse; the message is Go's. */
export class TimeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TimeError'
  }
}

const secondsLayout = '2006-01-02T15:04:05Z07:00'
const microLayout = '2006-01-02T15:04:05.000000Z07:00'
const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/

/** The canonical form of a `metav1.Time`: RFC 3339 in UTC, whole seconds. */
export function normalizeTime(text: string): string {
  if (usual.test(text)) return text
  const { seconds } = new TimeReader(text, secondsLayout).read()
  return `${isoSeconds(seconds)}Z`
}

/** The canonical form of a `metav1.MicroTime`: RFC 3339 in UTC with six digits. */
export function normalizeMicroTime(text: string): string {
  const { seconds, micros } = new TimeReader(text, microLayout).read()
  return `${isoSeconds(seconds)}.${String(micros).padStart(6, '0')}Z`
}

/** `2006-01-02T15:04:05` for seconds since 1970. */
export function isoSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, '')
}

/** A time or micro time in its canonical form, as protobuf encodes it. */
export function timestampOf(text: string): { seconds: number; nanos: number } {
  const micros = text.length > secondsTextLength ? Number(text.slice(20, 26)) : 0
  return { seconds: Math.floor(Date.parse(text) / 1000), nanos: micros * 1000 }
}

const secondsTextLength = '2006-01-02T15:04:05Z'.length

/** Quotes like Go's time package, which prints non-ASCII bytes as escapes. */
function quote(text: string): string {
  let quoted = '"'
  for (const char of text) {
    if (char === '"' || char === '\\') quoted += `\\${char}`
    else if (char >= ' ' && char < '\u007f') quoted += char
    else {
      for (const byte of new TextEncoder().encode(char)) {
        quoted += `\\x${byte.toString(16).padStart(2, '0')}`
      }
    }
  }
  return quoted + '"'
}

class TimeReader {
  readonly #text: string
  readonly #layout: string
  #rest: string

  constructor(text: string, layout: string) {
    this.#text = text
    this.#layout = layout
    this.#rest = text
  }

  read(): { seconds: number; micros: number } {
    const year = this.#number(/^\d{4}/, '2006')
    this.#literal('-')
    const month = this.#ranged('01', 'month', [1, 12])
    this.#literal('-')
    const day = this.#number(/^\d\d/, '02')
    this.#literal('T')
    const hour = this.#rangedBy(/^\d\d?/, '15', { name: 'hour', min: 0, max: 23 })
    this.#literal(':')
    const minute = this.#ranged('04', 'minute', [0, 59])
    this.#literal(':')
    const second = this.#ranged('05', 'second', [0, 59])
    const micros = this.#micros()
    const offset = this.#zone()
    if (this.#rest !== '') throw this.#failure(`: extra text: ${quote(this.#rest)}`)
    if (day < 1 || day > daysIn(year, month)) throw this.#failure(': day out of range')
    const date = new Date(0)
    date.setUTCFullYear(year, month - 1, day)
    date.setUTCHours(hour, minute, second, 0)
    return { seconds: date.getTime() / 1000 - offset, micros }
  }

  #micros(): number {
    if (this.#layout === microLayout) {
      const digits = /^\.(\d{6})/.exec(this.#rest)?.[1]
      if (digits === undefined) throw this.#cannotParse('.000000')
      this.#rest = this.#rest.slice(7)
      return Number(digits)
    }
    const fraction = /^[.,]\d+/.exec(this.#rest)?.[0] ?? ''
    this.#rest = this.#rest.slice(fraction.length)
    return 0
  }

  #zone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1)
      return 0
    }
    const match = /^([+-])(\d\d):(\d\d)/.exec(this.#rest)
    if (match === null) throw this.#cannotParse('Z07:00')
    const [whole, sign, hours, minutes] = match
    if (Number(hours) > 24) throw this.#failure(': time zone offset hour out of range')
    if (Number(minutes) > 60) throw this.#failure(': time zone offset minute out of range')
    this.#rest = this.#rest.slice(whole.length)
    const seconds = Number(hours) * 3600 + Number(minutes) * 60
    return sign === '-' ? -seconds : seconds
  }

  #literal(char: string): void {
    if (!this.#rest.startsWith(char)) throw this.#cannotParse(char)
    this.#rest = this.#rest.slice(1)
  }

  #ranged(element: string, name: string, [min, max]: [number, number]): number {
    return this.#rangedBy(/^\d\d/, element, { name, min, max })
  }

  #rangedBy(
    pattern: RegExp,
    element: string,
    range: { readonly name: string; readonly min: number; readonly max: number },
  ): number {
    const value = this.#number(pattern, element)
    if (value < range.min || value > range.max) {
      throw this.#failure(`: ${range.name} out of range`)
    }
    return value
  }

  #number(pattern: RegExp, element: string): number {
    const digits = pattern.exec(this.#rest)?.[0]
    if (digits === undefined) throw this.#cannotParse(element)
    this.#rest = this.#rest.slice(digits.length)
    return Number(digits)
  }

  #cannotParse(element: string): TimeError {
    const what = `cannot parse ${quote(this.#rest)} as ${quote(element)}`
    return this.#failure(` as ${quote(this.#layout)}: ${what}`)
  }

  #failure(message: string): TimeError {
    return new TimeError(`parsing time ${quote(this.#text)}${message}`)
  }
}

function daysIn(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}
