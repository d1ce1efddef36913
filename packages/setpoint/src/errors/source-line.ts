/** The errors that JavaScript itself throws: their messages name no place. */
const names: ReadonlySet<string> = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'AssertionError',
])

/**
 * Whether the error is one of the program, which no retry fixes. A `fetch` without a network is a
 * TypeError, too; it has a cause.
 */
export function isProgrammingError(error: unknown): error is Error {
  return error instanceof Error && names.has(error.name) && error.cause === undefined
}

/**
 * The place of a programming error in the author's sources, for people who do not see the stack:
 * `src/operators.ts:12:5`.
 */
export function sourceLine(error: unknown): string | undefined {
  if (!isProgrammingError(error)) return undefined
  for (const line of String(error.stack).split('\n')) {
    const [, path, position] = /^\s+at .*?([^\s()]+?):(\d+:\d+)\)?$/.exec(line) ?? []
    if (path === undefined || path.startsWith('node:') || path.includes('/node_modules/')) continue
    const [file = '', folder] = path.split(/[\\/]/).reverse()
    return `${folder === undefined ? '' : `${folder}/`}${file.split('?')[0] ?? ''}:${position ?? ''}`
  }
  return undefined
}
