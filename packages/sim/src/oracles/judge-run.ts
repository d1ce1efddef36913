import type { OracleId, Verdict } from '../report/finding.ts'
import type { StepRun } from '../world/step-run.ts'
import { judgeConvergence, judgeQuiescence } from './convergence.ts'
import { judgeCrashes } from './crashes.ts'
import { judgeResurrection } from './deletion.ts'
import { judgeEndState } from './end-state.ts'
import type { Expectation } from './expectation.ts'
import { judgeFieldWar } from './field-war.ts'
import { judgeInvariants } from './invariant.ts'
import { judgeSingleWriter } from './single-writer.ts'
import { judgeStatus } from './status-honesty.ts'
import { judgeUpdates } from './update-summary.ts'
import { judgeCost } from './write-cost.ts'

/** Judges a run with faults. What the run without faults shows too is a plain bug, reported there. */
export function judgeRun(run: StepRun, expected: Expectation): Verdict[] {
  const known = new Set(
    judgePlain(expected.reference, expected.subject).map(({ oracle }) => oracle),
  )
  const isNew = ({ oracle }: Verdict): boolean => !known.has(oracle)
  return [
    ...judgePlain(run, expected.subject).filter(isNew),
    ...judgeConvergence(run, expected),
    ...judgeEndState(run, expected),
    ...judgeUpdates(run, expected),
    ...judgeSingleWriter(run, expected),
  ]
}

/** Rules for every run, with and without faults. */
export function judgePlain(run: StepRun, subject: string): Verdict[] {
  return [
    ...judgeQuiescence(run),
    ...judgeCrashes(run),
    ...judgeResurrection(run, subject),
    ...judgeStatus(run, subject),
    ...judgeFieldWar(run),
    ...judgeCost(run),
    ...judgeInvariants(run.broken),
  ]
}

/** All rules, for the ablation of the benchmark. */
export const oracleIds: readonly OracleId[] = [
  'O1',
  'O2',
  'O3',
  'O4',
  'O5',
  'O6',
  'O7',
  'O8',
  'O9',
  'O10',
  'O11',
  'O12',
  'O13',
  'O14',
  'O15',
  'O16',
  'O17',
  'O18',
  'O19',
  'O20',
]
