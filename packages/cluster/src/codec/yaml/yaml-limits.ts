import { Lexer } from 'yaml'
import { depthMax, tooDeep as tooDeepForServer } from '../../limits/index.ts'
import { JsonSyntaxError } from '../json/json-syntax-error.ts'

/** The depth limit of Go's parser. */
const maxDepth = 10_000
/** Texts with fewer opening brackets are not checked further; most have none. */
const fewOpenings = depthMax
/**
 * The parser needs about a microsecond and a kilobyte for each token. The largest handwritten
 * manifests have half as many; programs send JSON, which has its own parser.
 */
const maxTokens = 200_000
/** Shorter texts cannot have that many. */
const shortText = maxTokens / 2
const scalarFollows = '\u001f'

/**
 * Refuses a text before the parser uses time and memory for it: one that is nested deeper than Go
 * or this server accepts, or has more tokens than any real manifest. Flow lists and maps count as levels, and
 * lists within lists on one line; a text with so many levels of indentation would exceed the limit
 * of a request body.
 */
export function refuseCostlyYaml(text: string): void {
  if (text.length < shortText && !hasManyOpenings(text)) return
  let tokens = 0
  let line = 0
  let flow = 0
  let compact = 0
  let deepest = 0
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
    deepest = Math.max(deepest, flow + compact)
    if (deepest > maxDepth) throw tooDeep(line)
  }
  if (deepest > depthMax) throw tooDeepForServer()
}

/** Go's message about a text that is nested too deeply; it does not name the first line. */
export function tooDeep(line: number): JsonSyntaxError {
  const where = line === 0 ? '' : `line ${line + 1}: `
  return new JsonSyntaxError(`yaml: ${where}exceeded max depth of ${maxDepth}`)
}

function hasManyOpenings(text: string): boolean {
  const brackets = count(text, '[', fewOpenings) + count(text, '{', fewOpenings)
  return brackets >= fewOpenings || count(text, '- -') + count(text, '? ?') >= fewOpenings / 2
}

/** Counts the occurrences of a string, up to a limit. */
function count(text: string, part: string, enough = Number.POSITIVE_INFINITY): number {
  let found = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    found += 1
    if (found >= enough) break
  }
  return found
}
