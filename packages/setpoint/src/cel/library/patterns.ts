/** Regular expressions: `matches`, `find`, `findAll`. */
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import { ArrayList, CelError, type CelResult } from '../values/cel-value.ts'
import { compilePattern } from '../values/compile-pattern.ts'

const free = (): void => undefined

function matches(text: string, pattern: string): CelResult {
  const compiled = compilePattern(pattern)
  return compiled instanceof CelError ? compiled : compiled.test(text, free)
}

function illegal({ message }: CelError): CelError {
  return new CelError(`Illegal regex: ${message}`)
}

function find(text: string, pattern: string): CelResult {
  const compiled = compilePattern(pattern)
  if (compiled instanceof CelError) return illegal(compiled)
  const [first] = compiled.findAll(text, 1)
  return first ?? ''
}

function findAll(text: string, pattern: string, limit: bigint): CelResult {
  const compiled = compilePattern(pattern)
  if (compiled instanceof CelError) return illegal(compiled)
  const count = limit < 0n ? Infinity : Number(limit)
  return new ArrayList(compiled.findAll(text, count))
}

/** `matches`, `find` and `findAll`. */
export const patterns: readonly FunctionDeclaration[] = declare({
  matches: {
    signatures: ['matches(string, string): bool', '.matches_string(string, string): bool'],
    run: (text, pattern) =>
      typeof text === 'string' && typeof pattern === 'string'
        ? matches(text, pattern)
        : new CelError('no such overload'),
  },
  find: [
    [
      '.string_find_string(string, string): string',
      (text, pattern) => find(text as string, pattern as string),
    ],
  ],
  findAll: [
    [
      '.string_find_all_string(string, string): list(string)',
      (text, pattern) => findAll(text as string, pattern as string, -1n),
    ],
    [
      '.string_find_all_string_int(string, string, int): list(string)',
      (text, pattern, limit) => findAll(text as string, pattern as string, limit as bigint),
    ],
  ],
})
