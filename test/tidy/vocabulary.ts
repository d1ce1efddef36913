import { isGenerated, type SourceTree } from './source-tree.ts'

/**
 * Words that a stranger would have to translate, each with what to write instead. See
 * docs/glossary.md.
 */
const banned: readonly (readonly [word: RegExp, replacement: string])[] = [
  [/\bwho(so)?ever\b/i, 'name the subject: the client, the author, the operator'],
  [/\bwhom\b/i, 'name the object: the owner, the key, the user'],
  // `'nobody'` and `nobody:` are data: a user name, a label.
  [
    /(?<!')\b(some|no|any|every)body\b(?!:)/i,
    'name the subject: a user, another controller, no client',
  ],
  [/\bmend(s|ed|ing)?\b/i, 'fix, repair'],
  [/\banew\b/i, 'again'],
  [/\b(by|draws?) lots?\b/i, 'random, seeded'],
  [/\bby chance\b|\bof chance\b|, chance\b/i, 'randomness'],
  [/\bun?heard\b|\bhears? of\b/i, 'observed, unwatched'],
  [/\blook(s|ed)? at\b|\blooks again\b|\b(another|next|every) look\b/i, 'read, check, reconcile'],
  [/\bcomes? right\b/i, 'converges'],
  [/\bat once\b/i, 'immediately (now) or together (at the same time)'],
  [/\botherwise than\b/i, 'differently from'],
  [/\b(tells?|told|telling)\b/i, 'report, say, return whether'],
  [/\bfor ever\b/i, 'forever, without end'],
  [/\bof (its|their|our) own accord\b/i, 'by itself'],
  [/\bin truth\b/i, 'actually'],
  [/\bas it should be\b/i, 'as desired, ready'],
  [/\bkin\b/i, 'name the kinds'],
  [/\b[\w’']+s business\b|\bbusiness of\b/i, 'responsibility'],
  [/\bheeds?\b/i, 'respects, observes'],
  [/\bhaste(n|ns|ned)?\b/i, 'speed up, shorten'],
  // "There is no" is plain; a line may begin after its "there".
  [
    /(?<=\w )(?<!\bthere )\b(is|are|was|were) no (?!longer\b|more\b|less\b|such\b)\w+/i,
    'is not a, does not count as',
  ],
  [/\b(at most|by|for|to) so (many|much)\b/i, 'the maximum number of, this many'],
  [/\borderly\b|\bstops? in order\b/i, 'graceful, gracefully'],
  [/\bof (ours|yours)\b/i, 'name the owner: of Setpoint, of the author; your own'],
  [/\bin place of\b|\b(take|takes|took) the place of\b/i, 'instead of, replaces'],
  [/\b(go|goes) on\b/i, 'continues, keeps running'],
  [/\bnow and then\b/i, 'rarely, at intervals'],
  [/\bin the end\b/i, 'finally, after the last step'],
  [/\bleads? nowhere\b/i, 'finds nothing'],
  [/\bwhichever\b/i, 'name the cases'],
  [/\bupkeep\b/i, 'controller, maintenance'],
  [
    /, also (after|as|at|before|beyond|for|from|if|in|inside|not|of|on|those|to|when|where|while|with|without)\b/i,
    'even when, even after, including',
  ],
  // A text of a real server stands in quotes, and is not the name of a test.
  [
    /^[^'"`]*(?<!\bor )\bmay not\b|\b(test|it|describe)\(.*\bmay not\b|\b(you|who\}) may not\b/i,
    'cannot, must not, is not allowed to (a prohibition); might not (a possibility)',
  ],
  // `a prefix beside a name` is the title of a recorded case.
  [/(?<!a prefix )\bbeside\b/i, 'next to, in addition to, at the same time as, in the same folder'],
  // `... is asked for'` ends the titles of recorded cases.
  [
    /\b(is|are|was|were|be|been) (not |never |only )?(waited for|awaited|asked(?! for'))\b/i,
    'the active voice: the operator waits for, the client asks the server',
  ],
  // An editor shows a doc comment alone, without the one before it.
  [/\/\*\* The same( (for|with|without|after|as)\b|[,.])/, 'repeat the subject'],
]

/** The files whose purpose is to name these words. */
const exempt = new Set(['test/tidy/vocabulary.ts', 'test/tidy.test.ts'])

/**
 * Sources, tests and documents use the words of Kubernetes, so that readers can search for them.
 */
export function vocabularyViolations(tree: SourceTree): string[] {
  return [...tree]
    .filter(([path]) => /\.(ts|md|mjs)$/.test(path) && !exempt.has(path) && !isQuoted(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) =>
        banned.flatMap(([word, replacement]) => {
          const found = word.exec(line)?.[0]
          if (found === undefined) return []
          return [`${path}:${index + 1}: "${found}"; write instead: ${replacement}`]
        }),
      ),
    )
}

/** Generated files, and documents that tests read, keep the words of their sources. */
function isQuoted(path: string): boolean {
  return isGenerated(path) || (/\/testdata\//.test(path) && !path.endsWith('.ts'))
}
