import { scriptsOf, type SourceTree } from './source-tree.ts'

// Split, so that this file does not violate the rule.
const marker = new RegExp(
  `\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`,
)
const silencer = new RegExp(
  `@ts-(ig${'nore'}|no${'check'})|(eslint-dis${'able'}|prettier-ig${'nore'})|\\bas an${'y'}\\b`,
)
const exclusive = /\b(it|test|describe|suite)\b[^\n]*?\.(only|skip|todo|skipIf|runIf|fails)\b(?=\()/

/** Finds leftover markers, disabled checkers and skipped tests. */
export function markerViolations(tree: SourceTree): string[] {
  return scriptsOf(tree).flatMap((path) =>
    (tree.get(path) ?? '').split('\n').flatMap((line, index) => {
      const found = [marker, silencer, exclusive].flatMap((rule) => rule.exec(line)?.[0] ?? [])
      return found.map((text) => `${path}:${index + 1}: leftover ${text}`)
    }),
  )
}
