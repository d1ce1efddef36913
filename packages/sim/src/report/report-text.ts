import type { Report } from './report.ts'

/** A report for people: the stories of the findings, then what was tried and what was not. */
export function reportText({ findings, coverage, notes }: Report): string {
  const { steps, refusedSteps, writes, plans, triedPlans } = coverage
  const untried = plans - triedPlans
  return [
    ...findings.map(({ story }) => `${story}\n`),
    `${findings.length} findings`,
    `${steps} steps of users (${refusedSteps} refused by the API server), ${writes} writes of the program`,
    `${triedPlans} of ${plans} runs with a fault were tried`,
    ...notes,
    ...(untried === 0 ? [] : [`${untried} were not tried: the time was over`]),
  ].join('\n')
}
