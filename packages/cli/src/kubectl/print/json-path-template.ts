import { isJsonObject, type JsonValue } from 'setpoint/schema'
import { followSteps, type JsonPathSteps, readSteps } from './json-path-steps.ts'
import { KubectlProblem } from '../kubectl-problem.ts'
import { goJson } from './object-text.ts'

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly steps: JsonPathSteps }
  | { readonly kind: 'range'; readonly steps: JsonPathSteps; readonly body: readonly Node[] }

/** A template of `-o jsonpath`: text with paths in braces, and `{range .items[*]}...{end}`. */
export class JsonPathTemplate {
  readonly #nodes: readonly Node[]

  constructor(template: string) {
    try {
      const pieces = piecesOf(template)
      this.#nodes = readNodes(pieces, false)
    } catch (error) {
      throw new KubectlProblem(
        `error: error parsing jsonpath ${template}, ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  /** Prints a value. Missing fields are left out, as in kubectl. */
  print(value: JsonValue): string {
    return printNodes(this.#nodes, value)
  }
}

/** A path of custom columns or `--sort-by`: with or without braces and the first dot. */
export function readRelaxedPath(text: string): JsonPathSteps {
  const inner = /^\{(.*)\}$/su.exec(text.trim())?.[1] ?? text.trim()
  try {
    return readSteps(/^[.[$]/.test(inner) ? inner : `.${inner}`)
  } catch (error) {
    throw new KubectlProblem(
      `error: unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}': ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

interface Piece {
  readonly isAction: boolean
  readonly text: string
}

/** Splits a template at its braces, except braces in quotes. */
function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = []
  const pattern = /\{((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^}"'])*)\}/gsu
  let end = 0
  for (const match of template.matchAll(pattern)) {
    pieces.push({ isAction: false, text: template.slice(end, match.index) })
    pieces.push({ isAction: true, text: (match[1] ?? '').trim() })
    end = match.index + match[0].length
  }
  const rest = template.slice(end)
  if (rest.includes('{')) throw new Error('unclosed action')
  return [...pieces, { isAction: false, text: rest }].filter(({ text }) => text !== '')
}

/** Parses nodes until the end of a range or of the template, and removes them from the pieces. */
function readNodes(pieces: Piece[], isRange: boolean): Node[] {
  const nodes: Node[] = []
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    const { isAction, text } = piece
    if (!isAction) nodes.push({ kind: 'text', text })
    else if (text === 'end') {
      if (isRange) return nodes
      throw new Error('not in range, nothing to end')
    } else if (text.startsWith('range ')) {
      nodes.push({ kind: 'range', steps: readSteps(text.slice(6)), body: readNodes(pieces, true) })
    } else if (/^(['"]).*\1$/su.test(text)) {
      nodes.push({ kind: 'text', text: unquoted(text) })
    } else nodes.push({ kind: 'path', steps: readSteps(text) })
  }
  if (isRange) throw new Error('unclosed range')
  return nodes
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unquoted(literal: string): string {
  return literal.slice(1, -1).replace(/\\(.)/gsu, (_, char: string) => escapes[char] ?? char)
}

function printNodes(nodes: readonly Node[], value: JsonValue): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text
      const found = followSteps(node.steps, value)
      if (node.kind === 'path') return found.map(valueText).join(' ')
      return found.map((item) => printNodes(node.body, item)).join('')
    })
    .join('')
}

/** A value as kubectl prints it: strings unchanged, objects and lists as JSON on one line. */
export function valueText(value: JsonValue): string {
  if (Array.isArray(value) || isJsonObject(value)) return goJson(value)
  return value === null ? '<nil>' : String(value)
}
