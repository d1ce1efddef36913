import { commitNow, machineText } from '../machine.ts'
import { table } from '../table.ts'
import { isRight, type MeasuredRun } from './measured-run.ts'
import { isBuggy, type SubjectType } from './subjects.ts'

const titles: Readonly<Record<SubjectType, string>> = {
  bug: 'Historical bugs',
  fixed: 'The same programs with the historical fix',
  correct: 'Correct programs that do unusual things',
  mutant: 'Fixed programs with a new mistake',
}

/** One line for the terminal. */
export function rowText(run: MeasuredRun): string {
  const { type, id, plans, triedPlans, plansToFirst, secondsToFirst, seconds } = run
  const first =
    plansToFirst === undefined
      ? ''
      : `, first after ${plansToFirst} plans, ${secondsToFirst?.toFixed(1)} s`
  const verdict = isRight(run) ? 'ok   ' : run.isRepeatable === false ? 'OTHER' : 'WRONG'
  return `${verdict} ${type} ${id} ${oraclesOf(run).join(' ')} (${triedPlans}/${plans} plans, ${seconds.toFixed(1)} s${first})`
}

function oraclesOf({ findings }: MeasuredRun): string[] {
  return [...new Set(findings.map(({ oracle }) => oracle))].sort(
    (left, right) => Number(left.slice(1)) - Number(right.slice(1)),
  )
}

/** The results as a document. */
export function reportOf(
  runs: readonly MeasuredRun[],
  { seconds, processes }: { readonly seconds: number; readonly processes: string },
): string {
  const types = Object.keys(titles) as SubjectType[]
  return [
    '# Setpoint-30',
    'Historical bugs of operators, as small programs, under `@setpoint/sim` in the tier `ci`. Written by `npm run bench:sim -- --write`.',
    `Commit ${commitNow()}, ${machineText()}, Node.js ${process.version}, ${processes} processes: ${Math.round(seconds)} s in all, ${plansPerSecond(runs)} plans per second in each process.`,
    ...types.flatMap((type) =>
      sectionOf(
        type,
        runs.filter((run) => run.type === type),
      ),
    ),
    ...ablation(runs.filter(({ type }) => type === 'bug')),
  ].join('\n\n')
}

function plansPerSecond(runs: readonly MeasuredRun[]): string {
  const sum = (of: (run: MeasuredRun) => number): number =>
    runs.reduce((all, run) => all + of(run), 0)
  return (sum(({ triedPlans }) => triedPlans) / sum(({ seconds }) => seconds)).toFixed(1)
}

function sectionOf(type: SubjectType, runs: readonly MeasuredRun[]): string[] {
  const [first] = runs
  if (first === undefined) return []
  const right = runs.filter(isRight).length
  const what = isBuggy(first) ? 'found' : 'without a finding'
  const rows = runs
    .toSorted((left, right) => left.id.localeCompare(right.id))
    .map((run) => [
      `${run.id}: ${run.summary}`,
      oraclesOf(run).join(' ') || '-',
      ...(isBuggy(run)
        ? [run.plansToFirst ?? '-', run.secondsToFirst?.toFixed(1) ?? '-', stepsOf(run)]
        : []),
      `${run.triedPlans}/${run.plans}`,
      run.seconds.toFixed(1),
    ])
  const firsts = isBuggy(first) ? ['plans to first', 'seconds to first', 'steps'] : []
  return [
    `## ${titles[type]}: ${right} of ${runs.length} ${what}`,
    table(['program', 'oracles', ...firsts, 'plans', 'seconds'], rows),
  ]
}

/** How many steps of users the first finding needs. */
function stepsOf({ first }: MeasuredRun): number | string {
  return first === undefined ? '-' : first.plan.step + first.steps.length
}

/** Which bugs nothing finds when one oracle is left out. */
function ablation(runs: readonly MeasuredRun[]): string[] {
  const oracles = [...new Set(runs.flatMap(oraclesOf))].sort(
    (left, right) => Number(left.slice(1)) - Number(right.slice(1)),
  )
  const rows = oracles.map((oracle) => {
    const fires = runs.filter((run) => oraclesOf(run).includes(oracle))
    const lost = fires.filter((run) => oraclesOf(run).length === 1)
    return [oracle, fires.length, lost.length, lost.map(({ id }) => id).join(' ') || '-']
  })
  if (rows.length === 0) return []
  return [
    '## Each oracle left out',
    'How many of the historical bugs it finds, and which ones no other oracle finds.',
    table(['oracle', 'finds', 'only by it', 'which'], rows),
  ]
}
