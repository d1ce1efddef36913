import { crc32 } from 'node:zlib'

/** The complete lines of a file. */
export interface JournalLines {
  readonly values: readonly unknown[]
  /** The bytes of the complete lines; what follows was cut off while it was written. */
  readonly completeBytes: number
}

/** A line that is not what was written, by its number. */
export class DamagedLineError extends Error {
  readonly line: number

  constructor(line: number) {
    super(`line ${line} is damaged`)
    this.name = 'DamagedLineError'
    this.line = line
  }
}

/** A value as one line: a checksum, a space, and JSON, which has no line breaks. */
export function journalLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${checksumOf(json)} ${json}\n`
}

/** The byte that ends a line. */
export const lineBreak = 10
const checksumLength = 8

/**
 * Reads the lines of a file. A last line without its line break was not completely written, and is
 * left out. Throws `DamagedLineError` for any other line that does not match its checksum.
 */
export function readLines(bytes: Uint8Array): JournalLines {
  const decoder = new TextDecoder()
  const values: unknown[] = []
  let begin = 0
  for (;;) {
    const end = bytes.indexOf(lineBreak, begin)
    if (end < 0) return { values, completeBytes: begin }
    const line = decoder.decode(bytes.subarray(begin, end))
    const json = line.slice(checksumLength + 1)
    const isIntact =
      line.slice(0, checksumLength) === checksumOf(json) && line[checksumLength] === ' '
    if (!isIntact) throw new DamagedLineError(values.length + 1)
    values.push(JSON.parse(json))
    begin = end + 1
  }
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(checksumLength, '0')
}
