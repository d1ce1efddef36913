/** Regular expressions of Go (RE2), compiled once and matched in linear time. */
import { LinearRegExp, toGoRegExp } from '../../schema/index.ts'
import { CelError } from './cel-value.ts'

const cache = new Map<string, LinearRegExp | CelError>()
const cachedMax = 1000

/** The compiled pattern, or Go's message about it. */
export function compilePattern(pattern: string): LinearRegExp | CelError {
  const known = cache.get(pattern)
  if (known !== undefined) return known
  const { regExp, problem } = toGoRegExp(pattern)
  const linear = regExp && LinearRegExp.from(regExp)
  const compiled =
    linear ?? new CelError(problem ?? `error parsing regexp: expression too large: \`${pattern}\``)
  if (cache.size >= cachedMax) cache.clear()
  cache.set(pattern, compiled)
  return compiled
}
