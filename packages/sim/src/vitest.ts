/**
 * The matcher for vitest. Import it once, in a test or in a setup file:
 *
 *     import '@setpoint/sim/vitest'
 *     expect(await simulate([operator], { sample })).toHaveNoFindings()
 */
import { expect } from 'vitest'
import { reportText } from './report/report-text.ts'
import type { Report } from './report/report.ts'

declare module 'vitest' {
  interface Matchers<T> {
    /** The report of a simulation has no findings. A failure prints their stories. */
    toHaveNoFindings(): T extends Report ? void : never
    /** The code of the report's program reaches the world only through its host. */
    toHaveNoBypasses(): T extends Report ? void : never
  }
}

expect.extend({
  toHaveNoFindings: (report: Report) => ({
    pass: report.findings.length === 0,
    message: () => reportText(report),
  }),
  toHaveNoBypasses: (report: Report) => ({
    pass: report.bypasses.length === 0,
    message: () => reportText(report),
  }),
})
