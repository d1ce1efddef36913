import type { Assertion, RegExpNode } from './reg-exp-tree.ts'

/** One instruction of a nondeterministic automaton. Numbers are the places of the next ones. */
type Instruction =
  | { readonly type: 'characters'; readonly test: (codePoint: number) => boolean; next: number }
  | { readonly type: 'assertion'; readonly kind: Assertion; next: number }
  /** `next` is the preferred way: the first alternative, or one more repetition. */
  | { readonly type: 'fork'; next: number; other: number }
  | { readonly type: 'match' }

/** A program, which starts at its first instruction. */
export type RegExpProgram = readonly Instruction[]

/** Go's limit is 1000 for each counted repetition, and much larger for the whole program. */
const instructionsMax = 20_000

/** Compiles a tree; undefined when the program has too many instructions. */
export function compileProgram(tree: RegExpNode): RegExpProgram | undefined {
  if (sizeOf(tree) >= instructionsMax) return undefined
  const compiler = new Compiler()
  compiler.emit(tree)
  compiler.program.push({ type: 'match' })
  return compiler.program
}

function sizeOf(node: RegExpNode): number {
  switch (node.type) {
    case 'characters':
    case 'assertion':
      return 1
    case 'sequence':
      return node.nodes.reduce((sum, each) => sum + sizeOf(each), 0)
    case 'choice':
      return node.nodes.reduce((sum, each) => sum + sizeOf(each) + 2, 0)
    case 'repeat':
      return (sizeOf(node.node) + 2) * Math.max(node.max ?? node.min, 1) + 2
  }
}

/** Emits instructions in the order of the text, so that the next one is usually the following. */
class Compiler {
  readonly program: Instruction[] = []
  readonly #tests = new Map<string, (codePoint: number) => boolean>()

  emit(node: RegExpNode): void {
    switch (node.type) {
      case 'characters': {
        const test = this.#testOf(node.source)
        this.program.push({ type: 'characters', test, next: this.program.length + 1 })
        break
      }
      case 'assertion':
        this.program.push({
          type: 'assertion',
          kind: node.kind,
          next: this.program.length + 1,
        })
        break
      case 'sequence':
        for (const each of node.nodes) this.emit(each)
        break
      case 'choice':
        this.#emitChoice(node.nodes)
        break
      case 'repeat':
        this.#emitRepeat(node)
    }
  }

  #fork(): Instruction & { type: 'fork' } {
    const fork = {
      type: 'fork' as const,
      next: this.program.length + 1,
      other: this.program.length + 1,
    }
    this.program.push(fork)
    return fork
  }

  #emitChoice(nodes: readonly RegExpNode[]): void {
    const ends: { other: number; next: number }[] = []
    for (const [index, node] of nodes.entries()) {
      if (index === nodes.length - 1) {
        this.emit(node)
        break
      }
      const fork = this.#fork()
      this.emit(node)
      ends.push(this.#fork())
      fork.other = this.program.length
    }
    for (const end of ends) end.next = end.other = this.program.length
  }

  #emitRepeat({ node, min, max, isLazy }: RegExpNode & { type: 'repeat' }): void {
    for (let index = 0; index < min; index += 1) this.emit(node)
    if (max === undefined) {
      const start = this.program.length
      const fork = this.#fork()
      this.emit(node)
      const back = this.#fork()
      back.next = back.other = start
      skipTo(fork, this.program.length, isLazy)
      return
    }
    const forks: { next: number; other: number }[] = []
    for (let index = min; index < max; index += 1) {
      forks.push(this.#fork())
      this.emit(node)
    }
    for (const fork of forks) skipTo(fork, this.program.length, isLazy)
  }

  #testOf(source: string): (codePoint: number) => boolean {
    let test = this.#tests.get(source)
    if (test === undefined) {
      test = testOf(source)
      this.#tests.set(source, test)
    }
    return test
  }
}

/** Lets a fork skip a repetition; the preferred way is `next`. */
function skipTo(fork: { next: number; other: number }, end: number, isLazy: boolean): void {
  const body = fork.next
  fork.next = isLazy ? end : body
  fork.other = isLazy ? body : end
}

/** One character or class. A class is tested by RegExp: one character cannot backtrack. */
function testOf(source: string): (codePoint: number) => boolean {
  const single = /^\\u\{([0-9a-f]+)\}$/.exec(source)?.[1]
  if (single !== undefined) {
    const expected = Number.parseInt(single, 16)
    return (codePoint) => codePoint === expected
  }
  const regExp = new RegExp(`^${source}$`, 'v')
  return (codePoint) => regExp.test(String.fromCodePoint(codePoint))
}
