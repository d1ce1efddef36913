import { bypassText } from '../bypass/bypass.ts'
import type { Report } from './report.ts'

/** A report for people: the stories of the findings, then what was tried and what was not. */
export function reportText({ findings, coverage, bypasses, notes, seed }: Report): string {
  const { steps, refusedSteps, fields, plans, triedPlans } = coverage
  const untried = plans - triedPlans
  return [
    ...findings.map(({ story }) => `${story}\n`),
    `${findings.length} findings (seed ${seed})`,
    `${steps} steps of users, ${refusedSteps} refused by the API server; ${fields} fields changed`,
    `${triedPlans} of ${plans} runs with a fault were tried:`,
    `  crashes after ${coverage.crashedWrites} of ${coverage.writes} writes`,
    `  ${coverage.triedViews} of ${coverage.views} old views and gaps`,
    `  ${coverage.triedErrors} of ${coverage.errors} conflicts, errors and lost answers`,
    ...notes,
    ...(bypasses.length === 0 ? [] : ['the code reaches around the host:']),
    ...bypasses.map((bypass) => `  ${bypassText(bypass)}`),
    ...(untried === 0 ? [] : [`${untried} were not tried: the time was over`]),
  ].join('\n')
}
