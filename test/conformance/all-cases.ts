import type { ConformanceCase } from './conformance-case.ts'
import { pageCases } from './cases/pages.ts'
import { readCases } from './cases/reads.ts'
import { selectorCases } from './cases/selectors.ts'

/** Every case, by the name of its file: answers are recorded per file. */
export const allCases: Readonly<Record<string, readonly ConformanceCase[]>> = {
  reads: readCases,
  selectors: selectorCases,
  pages: pageCases,
}
