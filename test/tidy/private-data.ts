import type { SourceTree } from './source-tree.ts'

// Written in pieces so that this file does not report itself.
const homes = ['ro' + 'ot', 'ho' + 'me', 'wo' + 'rk', 'Us' + 'ers']
const rules: readonly (readonly [string, RegExp])[] = [
  ['a path of somebody’s machine', new RegExp(`(^|[^A-Za-z0-9_.\\]])/(${homes.join('|')})/`)],
  ['a path of somebody’s machine', /\b[A-Z]:\\\\?Us[e]rs\b/],
  ['a download address in a lock file', /"resolved": *"http/],
  ['a package registry', /^\s*registry *=/],
  ['a download host', /\b(unpk[g]\.com|jsdeliv[r]\.net|dl\.k8[s]\.io|releases\/downloa[d]\/)/],
  ['a package registry', new RegExp(`\\b(registry|proxy)\\.(npm|yarn|golang)[a-z]*\\.`)],
  ['a folder outside the repository', new RegExp(`\\.\\./sha${'red'}\\b`)],
]

/** Nothing in the repository points at one machine or one mirror: it must work everywhere. */
export function privateDataViolations(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        rules.flatMap(([what, rule]) => (rule.test(line) ? [`${path}:${index + 1}: ${what}`] : [])),
      ),
  )
}
