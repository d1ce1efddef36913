import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml'
import { SetpointError } from '../../errors/index.ts'
import { valueAt } from '../essence.ts'

/** The values of placeholders: by name, or by path into nested fields. */
export type TemplateValues = object

/** `{name}` or `{spec.size}`; doubled braces stand for one brace. */
const placeholder = /\{\{|\}\}|\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)\}/g

/**
 * Parses a YAML manifest with placeholders. `{name}` within a text is replaced by text;
 * `{replicas}` as the whole value is replaced by the value itself, for example a number or a list.
 * Values are inserted after parsing: their content cannot change the structure.
 *
 * It takes text: read a file next to your module with `new URL('pvc.yaml', import.meta.url)`, or
 * let your bundler import it.
 */
export function template<T extends object>(text: string, values: TemplateValues): T {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [problem] = document.errors
  if (problem !== undefined) throw invalid(problem.message.split('\n')[0] ?? '')
  if (!isMap(document.contents)) throw invalid('the YAML is not an object')
  const filler = new TemplateFiller(values, (offset) => lines.linePos(offset).line)
  // The content is the author's; the server validates it.
  return filler.fill(document.contents) as T
}

/** Fills one template with values. */
class TemplateFiller {
  readonly #values: TemplateValues
  readonly #lineOf: (offset: number) => number

  constructor(values: TemplateValues, lineOf: (offset: number) => number) {
    this.#values = values
    this.#lineOf = lineOf
  }

  fill(node: unknown): unknown {
    if (isSeq(node)) return node.items.map((item) => this.fill(item))
    if (isMap(node)) {
      const name = soleName(node.items)
      if (name !== undefined) return this.#value(name, node)
      return Object.fromEntries(node.items.map((pair) => this.#pair(pair)))
    }
    if (!isScalar(node)) return null
    return typeof node.value === 'string' ? this.#text(node.value, node) : node.value
  }

  #pair({ key, value }: Pair): [string, unknown] {
    return [String(this.fill(key)), this.fill(value)]
  }

  #text(text: string, node: Node): string {
    return text.replaceAll(placeholder, (found, name: string | undefined) => {
      if (name === undefined) return found.charAt(0)
      const value = this.#value(name, node)
      if (isText(value)) return String(value)
      throw invalid(
        `{${name}} in line ${this.#line(node)} is part of a text, but its value is not text`,
      )
    })
  }

  #value(name: string, node: Node): unknown {
    const value: unknown = Object.hasOwn(this.#values, name)
      ? (this.#values as Readonly<Record<string, unknown>>)[name]
      : valueAt(this.#values, name.split('.'))
    if (value !== undefined && value !== null) return value
    throw invalid(`there is no value for {${name}} in line ${this.#line(node)}`)
  }

  #line(node: Node): number {
    return this.#lineOf(node.range?.[0] ?? 0)
  }
}

/** The name in an unquoted `{name}`, which YAML parses as an object with one field and no value. */
function soleName(pairs: readonly Pair[]): string | undefined {
  const [first, second] = pairs
  const isSole = first !== undefined && second === undefined && first.value === null
  if (!isSole || !isScalar(first.key) || typeof first.key.value !== 'string') return undefined
  return first.key.value
}

function isText(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function invalid(message: string): SetpointError {
  return new SetpointError('TEMPLATE_INVALID', `invalid template: ${message}`, {
    hint: 'give every {placeholder} a value; write {{ and }} for literal braces',
  })
}
