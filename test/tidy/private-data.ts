import type { SourceTree } from './source-tree.ts'

// Split, so that this file does not violate the rule.
const homeFolders = ['ro' + 'ot', 'ho' + 'me', 'wo' + 'rk', 'Us' + 'ers']
const rules: readonly (readonly [string, RegExp])[] = [
  ['a local path', new RegExp(`(^|[^A-Za-z0-9_.\\]])/(${homeFolders.join('|')})/`)],
  ['a local path', /\b[A-Z]:\\\\?Us[e]rs\b/],
  ['a download address in a lock file', /"resolved": *"http/],
  ['a package registry', /^\s*registry *=/],
  ['a download host', /\b(unpk[g]\.com|jsdeliv[r]\.net|dl\.k8[s]\.io|releases\/downloa[d]\/)/],
  ['a package registry', new RegExp(`\\b(registry|proxy)\\.(npm|yarn|golang)[a-z]*\\.`)],
  ['a folder outside the repository', new RegExp(`\\.\\./sha${'red'}\\b`)],
]

/** No file contains local paths, registries or folders outside of the repository. */
export function privateDataViolations(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        rules.flatMap(([what, rule]) => (rule.test(line) ? [`${path}:${index + 1}: ${what}`] : [])),
      ),
  )
}
