/** A place in a file that was compiled, from line 1 and column 1 as in stacks. */
interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Where a column of a compiled line comes from. */
interface Segment {
  readonly column: number
  readonly source: number
  readonly line: number
}

interface CompiledFile {
  readonly sources: readonly string[]
  /** The segments of each line, ordered by column. */
  readonly lines: readonly (readonly Segment[])[]
}

/** Programs that the simulator compiled, by the names that stacks have for them. */
const files = new Map<string, CompiledFile>()

/** Lets stacks of a compiled file lead to its sources. The sources are absolute paths. */
export function addSourceMap(
  file: string,
  { sources, mappings }: { readonly sources: readonly string[]; readonly mappings: string },
): void {
  files.set(file, { sources, lines: linesOf(mappings) })
}

/** `path:line` of the source of a place; `undefined` if the file is not a compiled one. */
export function sourceOf({ file, line, column }: Place): string | undefined {
  const compiled = files.get(file)
  const segments = compiled?.lines[line - 1] ?? []
  const segment = segments.findLast((one) => one.column < column) ?? segments[0]
  const source = compiled?.sources[segment?.source ?? -1]
  return segment === undefined || source === undefined ? undefined : `${source}:${segment.line + 1}`
}

/** Reads mappings of version 3 of source maps: numbers relative to those before, in base 64. */
function linesOf(mappings: string): Segment[][] {
  let [source, line] = [0, 0]
  return mappings.split(';').map((text) => {
    let column = 0
    return text.split(',').flatMap((part): Segment[] => {
      const [columns, sources, lines] = numbersOf(part)
      column += columns ?? 0
      if (sources === undefined) return []
      source += sources
      line += lines ?? 0
      return [{ column, source, line }]
    })
  })
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Each digit has five bits, and a sixth if another one follows. The lowest bit is the sign. */
function numbersOf(text: string): number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const digit of text) {
    const bits = digits.indexOf(digit)
    value += (bits & 31) << shift
    shift += 5
    if ((bits & 32) !== 0) continue
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}
