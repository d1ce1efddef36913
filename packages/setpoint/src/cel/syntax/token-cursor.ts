/**
 * The position in the tokens, with the error recovery of ANTLR's generated parsers: which messages
 * a wrong token causes, and where parsing continues. Each rule of the grammar is a method of the
 * parser between `enter` and `leave`; each call of a rule names what can follow it there.
 */
import type { TokenizedSource } from './lexer.ts'
import type { SourceProblems } from './source-problems.ts'
import { printKinds, type Token, type TokenKind } from './tokens.ts'

/** The kinds that can come next in a rule; `end` means that the rule can also be complete. */
export interface Follow {
  readonly kinds: ReadonlySet<TokenKind>
  readonly end: boolean
}

/** Makes a `Follow`. */
export function follow(kinds: Iterable<TokenKind>, end = false): Follow {
  return { kinds: new Set(kinds), end }
}

/** Ends a rule after a syntax error. */
class SyntaxFailure extends Error {
  readonly report: () => void
  constructor(report: () => void) {
    super('syntax error')
    this.report = report
  }
}

/** Ends the parser. */
export class ParserStopped extends Error {}

const errorsMax = 100
const recoveriesMax = 30
const depthMax = 250

/** Reads tokens, matches them, and recovers from wrong ones. */
export class TokenCursor {
  private readonly tokens: readonly Token[]
  private readonly gaps: TokenizedSource['gaps']
  private readonly problems: SourceProblems
  private readonly callers: Follow[] = []
  private readonly depths = new Map<string, number>()
  private readonly failedSites = new Set<string>()
  private index = 0
  private errors = 0
  private recoveries = 0
  private isRecovering = false
  private failedAt = -1

  constructor({ tokens, gaps }: TokenizedSource, problems: SourceProblems) {
    this.tokens = tokens
    this.gaps = gaps
    this.problems = problems
  }

  /** The token that is `distance` ahead; 0 is the next one. */
  peek(distance = 0): Token {
    const last = this.tokens.length - 1
    return this.tokens[Math.min(this.index + distance, last)] as Token
  }

  /** Whether the next token has this kind. */
  isNext(kind: TokenKind): boolean {
    return this.peek().kind === kind
  }

  private consume(): void {
    if (this.index < this.tokens.length - 1) this.index++
  }

  /** Begins a rule; `after` is what can follow its call. `leave` has to be called at its end. */
  enter(name: string, after: Follow): void {
    this.callers.push(after)
    this.deepen(name)
  }

  /** Ends a rule. */
  leave(name: string): void {
    this.callers.pop()
    this.depths.set(name, (this.depths.get(name) ?? 1) - 1)
  }

  /** Reports a syntax error that ended a rule, and skips to a token that can follow it. */
  recoverFrom(error: unknown, name: string): void {
    if (!(error instanceof SyntaxFailure)) throw error
    if (!this.isRecovering) {
      error.report()
      this.isRecovering = true
    }
    this.recover(name)
  }

  /** Counts one more level of a rule; too many end the parser. */
  private deepen(name: string): void {
    const depth = (this.depths.get(name) ?? 0) + 1
    this.depths.set(name, depth)
    if (depth <= depthMax) return
    this.problems.reportNowhere(`expression recursion limit exceeded: ${depthMax}`)
    throw new ParserStopped()
  }

  /** Consumes a token of the kind; `after` is what can follow it in the rule. */
  match(kind: TokenKind, after: Follow): Token {
    const token = this.peek()
    if (token.kind === kind) {
      this.matched()
      this.consume()
      return token
    }
    return this.recoverInline(follow([kind]), after)
  }

  /** Checks that the next token fits a choice in a rule; removes one wrong token if that helps. */
  sync(expected: Follow): void {
    if (this.isRecovering || expected.end || expected.kinds.has(this.peek().kind)) return
    if (this.deleteToken(expected) !== undefined) return
    throw this.mismatch(expected)
  }

  /** Checks that a repetition can continue or end; skips the tokens with which it cannot. */
  syncLoop(expected: Follow): void {
    if (this.isRecovering || expected.end || expected.kinds.has(this.peek().kind)) return
    const token = this.peek()
    const kinds = this.expectedKinds(expected)
    this.isRecovering = true
    this.syntaxError(token, `extraneous input ${shown(token)} expecting ${printKinds(kinds)}`)
    this.skipTo(kinds)
  }

  /** The error of a choice that no alternative fits, from the first token of the choice. */
  noViable(from: Token, offending: Token): Error {
    const text = this.textBetween(from, offending)
    return new SyntaxFailure(() => {
      const shown = escapeSpace(text)
      const reserved = /^.(true|false|null)$/su.exec(text)?.[1]
      const message =
        reserved === undefined
          ? `no viable alternative at input '${shown}'`
          : `mismatched input '${reserved}' expecting IDENTIFIER`
      this.syntaxError(offending, message)
    })
  }

  private textBetween(from: Token, to: Token): string {
    if (from.kind === '<EOF>') return '<EOF>'
    const end = to.kind === '<EOF>' ? to.offset : to.offset + to.text.length
    let text = ''
    let at = from.offset
    for (const gap of this.gaps) {
      if (gap.start < at || gap.end > end) continue
      text += this.problems.source.slice(at, gap.start)
      at = gap.end
    }
    return text + this.problems.source.slice(at, end)
  }

  private mismatch(expected: Follow): SyntaxFailure {
    const token = this.peek()
    const kinds = this.expectedKinds(expected)
    return new SyntaxFailure(() => {
      this.syntaxError(token, `mismatched input ${shown(token)} expecting ${printKinds(kinds)}`)
    })
  }

  private recoverInline(expected: Follow, after: Follow): Token {
    this.countRecovery()
    const deleted = this.deleteToken(expected)
    if (deleted !== undefined) {
      this.matched()
      this.consume()
      return deleted
    }
    const token = this.peek()
    if (this.expectedKinds(after).has(token.kind)) {
      if (!this.isRecovering) {
        this.isRecovering = true
        const wanted = printKinds(this.expectedKinds(expected))
        this.syntaxError(token, `missing ${wanted} at ${shown(token)}`)
      }
      const [kind = '<EOF>'] = expected.kinds
      return { kind, text: `<missing ${kind}>`, offset: token.offset }
    }
    throw this.mismatch(expected)
  }

  /** Removes the next token if the one behind it is expected, and returns that one. */
  private deleteToken(expected: Follow): Token | undefined {
    const kinds = this.expectedKinds(expected)
    if (!kinds.has(this.peek(1).kind)) return undefined
    const token = this.peek()
    if (!this.isRecovering) {
      this.isRecovering = true
      this.syntaxError(token, `extraneous input ${shown(token)} expecting ${printKinds(kinds)}`)
    }
    this.consume()
    this.matched()
    return this.peek()
  }

  private matched(): void {
    this.isRecovering = false
    this.failedAt = -1
    this.failedSites.clear()
  }

  private recover(site: string): void {
    this.countRecovery()
    if (this.failedAt === this.index && this.failedSites.has(site)) this.consume()
    if (this.failedAt !== this.index) this.failedSites.clear()
    this.failedAt = this.index
    this.failedSites.add(site)
    this.skipTo([])
  }

  /** Skips tokens until one of these kinds, or one that a rule around this one expects. */
  private skipTo(kinds: Iterable<TokenKind>): void {
    const stops = new Set<TokenKind>(['<EOF>', ...kinds])
    for (const caller of this.callers) for (const kind of caller.kinds) stops.add(kind)
    while (!stops.has(this.peek().kind)) this.consume()
  }

  private expectedKinds(expected: Follow): Set<TokenKind> {
    const kinds = new Set(expected.kinds)
    let isOpen = expected.end
    for (let at = this.callers.length - 1; isOpen && at >= 0; at--) {
      const caller = this.callers[at]
      if (caller === undefined) break
      for (const kind of caller.kinds) kinds.add(kind)
      isOpen = caller.end
    }
    return kinds
  }

  private countRecovery(): void {
    if (this.recoveries++ < recoveriesMax) return
    this.syntaxError(this.peek(), `error recovery attempt limit exceeded: ${recoveriesMax}`)
    throw new ParserStopped()
  }

  private syntaxError(token: Token, message: string): void {
    if (this.errors++ < errorsMax) {
      this.problems.report(token.offset, `Syntax error: ${message}`)
      return
    }
    this.problems.report(token.offset, `Syntax error: More than ${errorsMax} syntax errors`)
    throw new ParserStopped()
  }
}

function shown(token: Token): string {
  return `'${escapeSpace(token.text)}'`
}

function escapeSpace(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}
