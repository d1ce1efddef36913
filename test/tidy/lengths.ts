import ts from 'typescript'
import { isGenerated, isTest, lineOf, scriptsOf, syntaxOf, type SourceTree } from './source-tree.ts'

const sourceLinesMax = 400
const testLinesMax = 800
const functionLinesMax = 70
const readmeWordsMax = 600

/** Files and functions stay short. */
export function lengthViolations(tree: SourceTree): string[] {
  const handWritten = scriptsOf(tree).filter((path) => !isGenerated(path))
  const files = handWritten.flatMap((path) =>
    tooLong(tree, path, isTest(path) ? testLinesMax : sourceLinesMax),
  )
  const functions = handWritten
    .filter((path) => !isTest(path))
    .flatMap((path) => longFunctions(syntaxOf(tree, path), path))
  return [...files, ...functions, ...readmeViolations(tree)]
}

function tooLong(tree: SourceTree, path: string, linesMax: number): string[] {
  const lines = (tree.get(path) ?? '').trimEnd().split('\n').length
  return lines > linesMax ? [`${path}: ${lines} lines, at most ${linesMax}`] : []
}

/** The README is read in a minute, code included. */
function readmeViolations(tree: SourceTree): string[] {
  const words = (tree.get('README.md') ?? '').split(/\s+/).filter((word) => /\w/.test(word)).length
  return words > readmeWordsMax ? [`README.md: ${words} words, at most ${readmeWordsMax}`] : []
}

function longFunctions(file: ts.SourceFile, path: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const first = lineOf(file, node.getStart())
      const lines = lineOf(file, node.getEnd()) - first + 1
      if (lines > functionLinesMax) {
        found.push(`${path}:${first}: a function of ${lines} lines, at most ${functionLinesMax}`)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
