/** Objects by their names. */
type Named = ReadonlyMap<string, unknown>

/** Which parts of object names are random, such as a part of a uid. */
export interface RandomNames {
  /** What comes before them: `apps/statefulsets default/oak-`. */
  readonly prefixes: readonly string[]
  /** Names that begin so, but are the same in every run. */
  readonly stable: ReadonlySet<string>
}

export const noRandomNames: RandomNames = { prefixes: [], stable: new Set() }

/** Two runs of a step that differ only in random values. */
interface StatePair {
  /** The state before the step: its names say nothing. */
  readonly before: Named
  readonly one: Named
  readonly other: Named
}

/** The random parts of names, found by comparing runs. */
export function randomNamesOf(pairs: readonly StatePair[]) {
  const prefixes = new Set<string>()
  const stable = new Set<string>()
  for (const { before, one, other } of pairs) {
    const extra = [...other.keys()].filter((name) => !one.has(name))
    for (const name of one.keys()) {
      if (before.has(name)) continue
      if (other.has(name)) stable.add(name)
      else {
        const common = extra.map((found) => commonPrefix(name, found))
        const [longest = ''] = common.toSorted((left, right) => right.length - left.length)
        if (longest.includes('/')) prefixes.add(longest)
      }
    }
  }
  return { prefixes: [...prefixes], stable } satisfies RandomNames
}

/** Ends after a separator, because two random parts may begin with the same letters. */
function commonPrefix(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  const common = one.slice(0, length)
  return common.slice(0, Math.max(...['-', '.', '/'].map((mark) => common.lastIndexOf(mark))) + 1)
}

/** The name of an object with `*` for the random part. */
export function logicalName(name: string, { prefixes, stable }: RandomNames): string {
  if (prefixes.length === 0 || stable.has(name)) return name
  const [prefix] = prefixes
    .filter((one) => name.startsWith(one))
    .toSorted((left, right) => right.length - left.length)
  if (prefix === undefined) return name
  return prefix + name.slice(prefix.length).replace(/^[^-.]+/, '*')
}
