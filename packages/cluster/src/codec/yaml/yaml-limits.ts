import { Lexer } from 'yaml'
import { JsonSyntaxError } from '../json/json-syntax-error.ts'

/** How deep Go's reader goes. */
const maxDepth = 10_000
/** Texts with fewer openings are not looked at more closely; most have none. */
const fewOpenings = 1000
/**
 * The parser needs about a microsecond and a kilobyte for each token. The largest manifests that people
 * write have half as many; what programs send is JSON, which is read in another way.
 */
const maxTokens = 200_000
/** Shorter texts cannot have so many. */
const shortText = maxTokens / 2
const scalarFollows = '\u001f'

/**
 * Refuses a text before the parser spends its time and memory on it: one that is nested more deeply
 * than Go reads, or has more tokens than a client would send in good faith. Lists and maps in brackets
 * count as levels, and lists within lists on one line; a text that is nested so deeply by indentation
 * would be too long to arrive here.
 */
export function refuseCostlyYaml(text: string): void {
  if (text.length < shortText && !hasManyOpenings(text)) return
  let tokens = 0
  let line = 0
  let flow = 0
  let compact = 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    tokens += 1
    if (tokens > maxTokens) {
      throw new JsonSyntaxError(`yaml: more than ${maxTokens} tokens: send this object as JSON`)
    }
    if (isScalar || token === scalarFollows) {
      if (isScalar) line += count(token, '\n')
      isScalar = !isScalar
      continue
    }
    if (token === '[' || token === '{') flow += 1
    else if (token === ']' || token === '}') flow = Math.max(0, flow - 1)
    else if (flow === 0 && (token === '-' || token === '?')) compact += 1
    else if (token.includes('\n')) {
      line += count(token, '\n')
      compact = 0
    }
    if (flow + compact > maxDepth) throw tooDeep(line)
  }
}

/** What Go says about a text that is nested too deeply; it does not name the first line. */
export function tooDeep(line: number): JsonSyntaxError {
  const where = line === 0 ? '' : `line ${line + 1}: `
  return new JsonSyntaxError(`yaml: ${where}exceeded max depth of ${maxDepth}`)
}

function hasManyOpenings(text: string): boolean {
  const brackets = count(text, '[', fewOpenings) + count(text, '{', fewOpenings)
  return brackets >= fewOpenings || count(text, '- -') + count(text, '? ?') >= fewOpenings / 2
}

/** How often a text occurs, up to a number that is enough. */
function count(text: string, part: string, enough = Number.POSITIVE_INFINITY): number {
  let found = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    found += 1
    if (found >= enough) break
  }
  return found
}
