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
  return isProgrammingError(error) ? thrownAt(error) : undefined
}

/** The place in the author's sources at which any error was thrown. */
export function thrownAt(error: unknown): string | undefined {
  return error instanceof Error ? firstPlace(String(error.stack)) : undefined
}

/** The place in the author's sources that calls this method now. */
export function calledAt(object: object, method: string): string | undefined {
  const callee: unknown = Reflect.get(object, method)
  const holder = { stack: '' }
  if (typeof callee === 'function') Error.captureStackTrace(holder, callee)
  return firstPlace(holder.stack)
}

function firstPlace(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, path, position] = /^\s+at .*?([^\s()]+?):(\d+:\d+)\)?$/.exec(line) ?? []
    if (path === undefined || path.startsWith('node:') || path.includes('/node_modules/')) continue
    const [file = '', folder] = path.split(/[\\/]/).reverse()
    return `${folder === undefined ? '' : `${folder}/`}${file.split('?')[0] ?? ''}:${position ?? ''}`
  }
  return undefined
}
