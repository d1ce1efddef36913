import { toGoRegExp } from '../../schema/index.ts'

/** Escapes that are letters in JavaScript and something else in RE2, and POSIX classes. */
const readsDifferently = /\\[aAzZQECpP]|\\x\{|\[\[?\^?:[a-z]+:\]/

/** One escape, matched as a whole, so that an escaped backslash does not start another one. */
const escape = /\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|.)/gs

/**
 * A JavaScript pattern in the dialect of API servers (Go's RE2), or why there is none. Flags become
 * a `(?...)` prefix and code point escapes change their notation; the RE2 parser of `schema/`
 * checks that everything else means the same in both.
 */
export function goPattern(
  regExp: RegExp,
): { readonly pattern: string } | { readonly reason: string } {
  if (regExp.sticky) return { reason: 'the flag "y" has no meaning for a whole value' }
  if (regExp.flags.includes('v')) return { reason: 'RE2 does not have the syntax of the flag "v"' }
  const [differing] = readsDifferently.exec(regExp.source.replaceAll('\\\\', '')) ?? []
  if (differing !== undefined && !(regExp.unicode && /^\\[pP]/.test(differing))) {
    return { reason: `JavaScript and RE2 read ${differing} differently` }
  }
  const flags = `${regExp.ignoreCase ? 'i' : ''}${regExp.multiline ? 'm' : ''}${regExp.dotAll ? 's' : ''}`
  const source = regExp.source.replace(escape, (written, braced?: string, plain?: string) => {
    const code = (regExp.unicode ? braced : undefined) ?? plain
    if (code !== undefined) return `\\x{${code}}`
    return written === '\\/' ? '/' : written
  })
  const pattern = flags === '' ? source : `(?${flags})${source}`
  const result = toGoRegExp(pattern)
  return result.regExp === undefined ? { reason: result.reason } : { pattern }
}
