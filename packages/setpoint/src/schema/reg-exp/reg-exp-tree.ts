/**
 * Reads the JavaScript form that `toGoRegExp` writes. It is a small language: every character is
 * `\u{...}`, groups are `(?:...)`, and the only assertions are those below.
 */
export type RegExpNode =
  | { readonly type: 'characters'; readonly source: string }
  | { readonly type: 'assertion'; readonly kind: Assertion }
  | { readonly type: 'sequence'; readonly nodes: readonly RegExpNode[] }
  | { readonly type: 'choice'; readonly nodes: readonly RegExpNode[] }
  | {
      readonly type: 'repeat'
      readonly node: RegExpNode
      readonly min: number
      readonly max: number | undefined
      readonly isLazy: boolean
    }

/** What an assertion demands of the place between two characters. */
export type Assertion =
  'text start' | 'text end' | 'line start' | 'line end' | 'word boundary' | 'no word boundary'

const assertions: readonly (readonly [string, Assertion | undefined])[] = [
  ['(?<=^|\\n)', 'line start'],
  ['(?=$|\\n)', 'line end'],
  // Excludes the middle of a surrogate pair. Texts are read by characters here.
  ['(?<=^|[\\p{Any}])', undefined],
  ['\\b', 'word boundary'],
  ['\\B', 'no word boundary'],
  ['^', 'text start'],
  ['$', 'text end'],
]

const repeats: Readonly<Record<string, readonly [number, number | undefined]>> = {
  '*': [0, undefined],
  '+': [1, undefined],
  '?': [0, 1],
}

interface OpenGroup {
  readonly alternatives: RegExpNode[]
  pieces: RegExpNode[]
}

/** The tree of a translated pattern. It does not recurse: a pattern can nest deeply. */
export function parseTranslated(source: string): RegExpNode {
  let group: OpenGroup = { alternatives: [], pieces: [] }
  const outer: OpenGroup[] = []
  let at = 0
  while (at < source.length) {
    const assertion = assertions.find(([text]) => source.startsWith(text, at))
    const character = source.charAt(at)
    const repeat = repeatAt(source, at)
    if (assertion !== undefined) {
      const [text, kind] = assertion
      if (kind !== undefined) group.pieces.push({ type: 'assertion', kind })
      at += text.length
    } else if (repeat !== undefined) {
      const { min, max, length } = repeat
      const node = group.pieces.pop()
      const isLazy = source.charAt(at + length) === '?'
      if (node !== undefined) group.pieces.push({ type: 'repeat', node, min, max, isLazy })
      at += length + Number(isLazy)
    } else if (source.startsWith('(?:', at)) {
      outer.push(group)
      group = { alternatives: [], pieces: [] }
      at += 3
    } else if (character === ')') {
      const node = closed(group)
      group = outer.pop() ?? group
      group.pieces.push(node)
      at += 1
    } else if (character === '|') {
      group.alternatives.push(sequenceOf(group.pieces))
      group.pieces = []
      at += 1
    } else {
      const end = character === '[' ? endOfClass(source, at) : source.indexOf('}', at) + 1
      group.pieces.push({ type: 'characters', source: source.slice(at, end) })
      at = end
    }
  }
  return closed(group)
}

function closed({ alternatives, pieces }: OpenGroup): RegExpNode {
  const last = sequenceOf(pieces)
  return alternatives.length === 0 ? last : { type: 'choice', nodes: [...alternatives, last] }
}

function sequenceOf(nodes: readonly RegExpNode[]): RegExpNode {
  const [only] = nodes
  return only !== undefined && nodes.length === 1 ? only : { type: 'sequence', nodes }
}

function repeatAt(
  source: string,
  at: number,
): { min: number; max: number | undefined; length: number } | undefined {
  const simple = repeats[source.charAt(at)]
  if (simple !== undefined) return { min: simple[0], max: simple[1], length: 1 }
  if (source.charAt(at) !== '{') return undefined
  const end = source.indexOf('}', at)
  const [low = '', high] = source.slice(at + 1, end).split(',')
  const max = high === undefined ? Number(low) : high === '' ? undefined : Number(high)
  return { min: Number(low), max, length: end + 1 - at }
}

/** Classes nest; a bracket inside one is written as `\u{5b}`. */
function endOfClass(source: string, start: number): number {
  let depth = 0
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '[') depth += 1
    if (source[at] === ']' && --depth === 0) return at + 1
  }
  return source.length
}
