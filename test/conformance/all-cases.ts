import type { ConformanceCase } from './conformance-case.ts'
import { accessCases } from './cases/access.ts'
import { applyingCases } from './cases/applying.ts'
import { creationCases } from './cases/creation.ts'
import { definitionCases } from './cases/definitions.ts'
import { deletionCases } from './cases/deletion.ts'
import { kindCases } from './cases/kinds.ts'
import { pageCases } from './cases/pages.ts'
import { pathCases } from './cases/paths.ts'
import { readCases } from './cases/reads.ts'
import { selectorCases } from './cases/selectors.ts'
import { updateCases } from './cases/updates.ts'
import { watchCases } from './cases/watches.ts'
import { knownDifferences } from './known-differences.ts'

const files: Readonly<Record<string, readonly ConformanceCase[]>> = {
  reads: readCases,
  selectors: selectorCases,
  pages: pageCases,
  watches: watchCases,
  creation: creationCases,
  updates: updateCases,
  deletion: deletionCases,
  applying: applyingCases,
  definitions: definitionCases,
  kinds: kindCases,
  access: accessCases,
  paths: pathCases,
}

function marked(file: string, cases: readonly ConformanceCase[]): readonly ConformanceCase[] {
  const known = knownDifferences[file] ?? {}
  return cases.map((entry) => {
    const differs = known[entry.name]
    return differs === undefined ? entry : { ...entry, differs }
  })
}

/** Every case, by the name of its file: answers are recorded per file. */
export const allCases: Readonly<Record<string, readonly ConformanceCase[]>> = Object.fromEntries(
  Object.entries(files).map(([file, cases]) => [file, marked(file, cases)]),
)
