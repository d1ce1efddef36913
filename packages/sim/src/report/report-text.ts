import { bypassText } from '../bypass/bypass.ts'
import type { Finding } from './finding.ts'
import type { Coverage, Report } from './report.ts'

/** How many stories are printed: most findings have few causes. */
const storiesMax = 10

/** A report for people: the stories of the findings, then what was tried and what was not. */
export function reportText({ findings, coverage, bypasses, notes, seed }: Report): string {
  const left = findings.length - storiesMax
  return [
    ...findings.slice(0, storiesMax).map((finding, index) => {
      const same = findings.slice(0, index).find((one) => isSamePlan(one, finding))
      return `${same === undefined ? finding.story : shortStory(finding, same)}\n`
    }),
    ...(left > 0 ? [`${left} more findings are in report.findings\n`] : []),
    `${findings.length} findings (seed ${seed})`,
    ...coverageLines(coverage),
    ...notes,
    ...(bypasses.length === 0 ? [] : ['the code reaches around the host:']),
    ...bypasses.map((bypass) => `  ${bypassText(bypass)}`),
  ].join('\n')
}

function isSamePlan(one: Finding, other: Finding): boolean {
  return (
    JSON.stringify(one.plan) === JSON.stringify(other.plan) &&
    one.steps.join() === other.steps.join() &&
    one.workload.steps === other.workload.steps
  )
}

/** Another rule that the same run breaks. */
function shortStory({ oracle, problem, details }: Finding, same: Finding): string {
  const lines = [`in the same run as ${same.oracle} above`, ...details]
  return [`${oracle}: ${problem}`, ...lines.map((line) => `  ${line}`)].join('\n')
}

function coverageLines(coverage: Coverage): string[] {
  const { steps, refusedSteps, fields, specFields, states, plans, triedPlans, faults, stop } =
    coverage
  const untried = plans - triedPlans
  const counts = Object.entries(faults).map(([type, one]) => `${type} ${one.tried}/${one.plans}`)
  return [
    `${steps} steps of users, ${refusedSteps} refused by the API server; ${fields} of ${specFields} fields of the spec changed; ${states} states seen`,
    `${triedPlans} of ${plans} runs with a fault were tried:`,
    `  ${counts.join(', ')}`,
    `  crashes after ${coverage.crashedWrites} of ${coverage.writes} writes${untried > 0 ? '' : '; the others repeat a step in the same state'}`,
    ...(untried === 0
      ? []
      : [
          `${untried} were not tried: ${stop === 'plansMax' ? 'plansMax is smaller' : 'the time was over'}`,
        ]),
  ]
}
