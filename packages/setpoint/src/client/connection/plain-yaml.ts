/**
 * Parses the YAML of kubeconfigs: mappings and sequences as blocks or on one line, plain and quoted
 * scalars, literal blocks, comments. `undefined` for anything else (anchors, tags, multi-line
 * scalars): that needs a full YAML parser, which is five times the size of the client.
 */
export function parsePlainYaml(text: string): { readonly value: unknown } | undefined {
  const lines = linesOf(text)
  if (lines === undefined) return undefined
  try {
    const reader = new Reader(lines)
    const value = reader.block(0)
    return reader.isAtEnd ? { value } : undefined
  } catch (error) {
    if (error === NOT_PLAIN) return undefined
    throw error
  }
}

/** Thrown at the first construct that is not plain. */
const NOT_PLAIN = new Error('not plain YAML')

interface Line {
  readonly indent: number
  /** Without indentation, comment and trailing space; literal blocks use `raw`. */
  readonly text: string
  readonly raw: string
}

function linesOf(text: string): Line[] | undefined {
  const raws = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const first = raws.findIndex((raw) => !/^\s*(#.*)?$/.test(raw))
  if (first !== -1 && /^---\s*(#.*)?$/.test(raws[first] ?? '')) raws.splice(0, first + 1)
  const isForeign = raws.some((raw) =>
    /^(---|\.\.\.)(\s|$)|^%|^ *\t|\u0000|\u0085|\u2028|\u2029/.test(raw),
  )
  if (isForeign) return undefined
  return raws.map((raw) => {
    const content = raw.replace(/^ +/, '')
    const text = content.startsWith('#') ? '' : content.trimEnd()
    return { indent: raw.length - content.length, text, raw }
  })
}

/** `key: value` or `key:`, with a plain or quoted key. */
const entry =
  /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#&*!|>%@`{}[\],?:-][^\s:#"'{}[\],&*!|>%@`]*|[A-Za-z_][\w./-]*):(?:\s+(.*))?$/

class Reader {
  readonly #lines: readonly Line[]
  #at = 0

  constructor(lines: readonly Line[]) {
    this.#lines = lines
  }

  get isAtEnd(): boolean {
    return this.#peek() === undefined
  }

  /** The block at this indentation or deeper. */
  block(indent: number): unknown {
    const line = this.#peek()
    if (line === undefined || line.indent < indent) return null
    if (isItem(line.text)) return this.#sequence(line.indent)
    if (entry.test(line.text)) return this.#mapping(line.indent)
    this.#at += 1
    return scalar(line.text)
  }

  /** The next line that is not blank. */
  #peek(): Line | undefined {
    while (this.#lines[this.#at]?.text === '') this.#at += 1
    return this.#lines[this.#at]
  }

  #mapping(indent: number): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    for (let line = this.#peek(); line?.indent === indent; line = this.#peek()) {
      if (isItem(line.text)) break
      this.#field(fields, line.text, indent)
    }
    this.#checkIndent(indent)
    return fields
  }

  #field(fields: Record<string, unknown>, text: string, indent: number): void {
    const match = entry.exec(text)
    if (match === null) throw NOT_PLAIN
    const [, written = '', rest = ''] = match
    const key = scalar(written)
    if (typeof key !== 'string' || Object.hasOwn(fields, key) || key === '__proto__')
      throw NOT_PLAIN
    this.#at += 1
    fields[key] = this.#value(withoutComment(rest), indent)
  }

  #value(text: string, indent: number): unknown {
    if (/^\|[+-]?$/.test(text)) return this.#literal(text, indent)
    if (text !== '') return scalar(text)
    const next = this.#peek()
    // A list may have the same indentation as its field.
    const isList = next !== undefined && next.indent === indent && isItem(next.text)
    return isList ? this.#sequence(indent) : this.block(indent + 1)
  }

  #sequence(indent: number): unknown[] {
    const items: unknown[] = []
    for (
      let line = this.#peek();
      line?.indent === indent && isItem(line.text);
      line = this.#peek()
    ) {
      const rest = line.text.slice(1)
      const text = withoutComment(rest.trimStart())
      const column = indent + 1 + (rest.length - rest.trimStart().length)
      if (entry.test(text) && !/^["'].*["']$/.test(text)) {
        items.push(this.#inlineMapping(rest.trimStart(), column))
        continue
      }
      this.#at += 1
      items.push(text === '' ? this.block(indent + 1) : this.#item(text, indent))
    }
    if (this.#peek()?.indent === indent && items.length === 0) throw NOT_PLAIN
    return items
  }

  #item(text: string, indent: number): unknown {
    if (isItem(text)) throw NOT_PLAIN
    return /^\|[+-]?$/.test(text) ? this.#literal(text, indent) : scalar(text)
  }

  /** `- name: x` and the fields below it, which are indented like `name`. */
  #inlineMapping(first: string, column: number): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    this.#field(fields, first, column)
    for (let line = this.#peek(); line?.indent === column; line = this.#peek()) {
      if (isItem(line.text)) throw NOT_PLAIN
      this.#field(fields, line.text, column)
    }
    this.#checkIndent(column)
    return fields
  }

  /** The next line must be indented less. */
  #checkIndent(indent: number): void {
    const line = this.#peek()
    if (line !== undefined && line.indent > indent) throw NOT_PLAIN
  }

  #literal(header: string, indent: number): string {
    const lines: string[] = []
    let depth: number | undefined
    for (; ; this.#at += 1) {
      const line = this.#lines[this.#at]
      if (line === undefined) break
      const isBlank = line.raw.trim() === ''
      if (!isBlank && line.indent <= indent) break
      if (!isBlank) depth ??= line.indent
      if (!isBlank && depth !== undefined && line.indent < depth) throw NOT_PLAIN
      if (isBlank && line.raw.length > (depth ?? 0)) throw NOT_PLAIN
      lines.push(isBlank ? '' : line.raw.slice(depth))
    }
    const text = lines.join('\n')
    if (header === '|+') throw NOT_PLAIN
    const body = text.replace(/\n+$/, '')
    return header === '|-' || body === '' ? body : `${body}\n`
  }
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ')
}

/** A comment starts after a space, and not in quotes. */
function withoutComment(text: string): string {
  const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(\s+#.*|\s*)$/.exec(text)
  if (quoted !== null) return quoted[1] ?? ''
  return text.startsWith('#') ? '' : text.replace(/\s+#.*$/, '').trimEnd()
}

const words: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  TRUE: true,
  false: false,
  False: false,
  FALSE: false,
  null: null,
  Null: null,
  NULL: null,
  '~': null,
}

function scalar(text: string): unknown {
  if (/^[{[].*[}\]]$/.test(text)) return flow(text)
  if (Object.hasOwn(words, text)) return words[text]
  if (text.startsWith('"')) return doubleQuoted(text)
  if (text.startsWith("'")) return singleQuoted(text)
  // Indicators, and text that resembles them.
  if (/^[&*!|>%@`{}[\],?#:-]/.test(text) && !/^-[^\s]/.test(text)) throw NOT_PLAIN
  if (/: |:$| #|\t/.test(text)) throw NOT_PLAIN
  return numberOf(text) ?? text
}

/** A collection on one line: `{a: 1, b: [x, "y"]}`. */
function flow(text: string): unknown {
  const tokens = text.match(
    /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[{}[\],]|:(?=[\s,{}[\]])|[^\s{}[\],:"'](?:[^{}[\],:"']|:(?![\s,{}[\]]))*/g,
  )
  if (tokens === null || tokens.join('').replace(/\s/g, '') !== text.replace(/\s/g, ''))
    throw NOT_PLAIN
  const words = tokens.map((token) => token.trim())
  let at = 0
  const value = (): unknown => {
    const word = words[at] ?? ''
    at += 1
    if (word === '{') return map()
    if (word === '[') return list()
    if (/^[}\],:]?$/.test(word)) throw NOT_PLAIN
    return scalar(word)
  }
  const map = (): Record<string, unknown> => {
    const fields: Record<string, unknown> = {}
    while (words[at] !== '}') {
      const key = value()
      const isNew = typeof key === 'string' && !Object.hasOwn(fields, key) && key !== '__proto__'
      if (!isNew || words[at] !== ':') throw NOT_PLAIN
      at += 1
      fields[key] = words[at] === ',' || words[at] === '}' ? null : value()
      separator('}')
    }
    at += 1
    return fields
  }
  const list = (): unknown[] => {
    const items: unknown[] = []
    while (words[at] !== ']') {
      items.push(value())
      if (words[at] === ':') throw NOT_PLAIN
      separator(']')
    }
    at += 1
    return items
  }
  const separator = (end: string): void => {
    if (words[at] === ',') at += 1
    else if (words[at] !== end) throw NOT_PLAIN
  }
  const whole = value()
  if (at !== words.length) throw NOT_PLAIN
  return whole
}

function numberOf(text: string): number | undefined {
  if (/^[-+]?\d+$/.test(text) || /^[-+]?(\d+\.\d*|\.\d+)([eE][-+]?\d+)?$/.test(text))
    return Number(text)
  // Other notations of numbers are rare and left to a full parser.
  if (/^[-+]?(\.inf|\.nan|0[xo]|\d+[eE])/i.test(text)) throw NOT_PLAIN
  return undefined
}

function doubleQuoted(text: string): string {
  // The common part of JSON and YAML strings.
  if (!/^"(?:[^"\\\t]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"$/.test(text)) throw NOT_PLAIN
  return JSON.parse(text) as string
}

function singleQuoted(text: string): string {
  if (!/^'(?:[^'\t]|'')*'$/.test(text)) throw NOT_PLAIN
  return text.slice(1, -1).replaceAll("''", "'")
}
