import {
  SelectorSyntaxError,
  unexpected,
  unexpectedBetween,
  type Requirement,
} from './requirement.ts'

interface Token {
  readonly kind: 'identifier' | 'symbol' | 'end'
  readonly text: string
}

const operators = 'in, notin, =, ==, !=, gt, lt'
const symbols = ['!=', '==', '=', '>', '<', '!', ',', '(', ')']

/** A parser of label selectors: `a=b,c in (d,e),!f`. */
export class LabelSelectorReader {
  readonly #tokens: Token[]
  #at = 0

  constructor(text: string) {
    this.#tokens = tokensOf(text)
  }

  read(): Requirement[] {
    const requirements: Requirement[] = []
    if (this.#peek().kind === 'end') return requirements
    for (;;) {
      const { kind, text } = this.#peek()
      if (kind !== 'identifier' && text !== '!') {
        throw unexpectedBetween(text, "!, identifier, or 'end of string'")
      }
      requirements.push(this.#requirement())
      const next = this.#take()
      if (next.kind === 'end') return requirements
      if (next.text !== ',') throw unexpectedBetween(next.text, "',' or 'end of string'")
      const after = this.#peek()
      if (after.kind !== 'identifier' && after.text !== '!') {
        throw unexpectedBetween(after.text, "identifier after ','")
      }
    }
  }

  #requirement(): Requirement {
    const isNegated = this.#peek().text === '!' && this.#peek().kind === 'symbol'
    if (isNegated) this.#take()
    const { kind, text: key } = this.#take()
    if (kind !== 'identifier') throw unexpected(key, 'identifier')
    if (isNegated) return { key, operator: '!', values: [] }
    const next = this.#peek()
    if (next.kind === 'end' || next.text === ',') return { key, operator: 'exists', values: [] }
    const operator = operatorOf(this.#take().text)
    return { key, operator, values: this.#values(operator) }
  }

  #values(operator: Requirement['operator']): string[] {
    if (operator === 'in' || operator === 'notin') return this.#list()
    const next = this.#peek()
    if (next.kind === 'end' || next.text === ',') return ['']
    this.#take()
    if (next.kind !== 'identifier') throw unexpected(next.text, 'identifier')
    return [next.text]
  }

  #list(): string[] {
    const open = this.#take()
    // Without a comma, as in a real server's message.
    if (open.text !== '(') throw new SelectorSyntaxError(`found '${open.text}' expected: '('`)
    const values = new Set<string>()
    let needsValue = true
    let isFirst = true
    for (;;) {
      const token = this.#take()
      if (token.kind === 'identifier') {
        values.add(token.text)
        needsValue = false
        const after = this.#peek()
        if (after.text !== ',' && after.text !== ')') throw unexpected(after.text, "',' or ')'")
      } else if (token.text === ',') {
        if (needsValue) values.add('')
        needsValue = true
      } else if (token.text === ')') {
        if (needsValue) values.add('')
        return [...values].sort()
      } else {
        throw unexpected(token.text, isFirst ? "',', ')' or identifier" : "',', or identifier")
      }
      isFirst = false
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }

  #take(): Token {
    const token = this.#peek()
    this.#at += 1
    return token
  }
}

function operatorOf(text: string): Requirement['operator'] {
  switch (text) {
    case 'in':
    case 'notin':
    case '=':
    case '==':
    case '!=':
      return text
    case '>':
      return 'gt'
    case '<':
      return 'lt'
    default:
      throw unexpected(text, operators)
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at)
    const space = /^\s+/.exec(rest)?.[0]
    if (space !== undefined) {
      at += space.length
      continue
    }
    const symbol = symbols.find((candidate) => rest.startsWith(candidate))
    const word = symbol ?? /^[^\s=!(),<>]+/.exec(rest)?.[0]
    if (word === undefined) throw new SelectorSyntaxError(`cannot read '${rest}'`)
    tokens.push({ kind: symbol === undefined ? 'identifier' : 'symbol', text: word })
    at += word.length
  }
  return tokens
}
