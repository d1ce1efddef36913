import { models } from '../../packages/sim/models/models.ts'
import type { Declarations } from '../../packages/sim/models/model.ts'
import { mutations } from '../../packages/sim/models/mutations/mutations.ts'
import { noFalseAlarms } from '../../packages/sim/models/no-false-alarms/no-false-alarms.ts'
import type { Program, Sample } from '@setpoint/sim'
import type { AnyResourceDefinition } from 'setpoint'

/** What a program of the benchmark is, and so whether findings are right or wrong. */
export type SubjectType = 'bug' | 'fixed' | 'correct' | 'mutant'

/** A program of the benchmark. */
export interface Subject {
  readonly type: SubjectType
  readonly id: string
  readonly summary: string
  readonly resource: AnyResourceDefinition
  readonly sample: Sample
  readonly program: Program
  readonly options: Declarations
  /** The oracles of which one must fire; empty for programs without a bug, and if any will do. */
  readonly expected: readonly string[]
}

/** All programs of the benchmark. */
export function subjects(): Subject[] {
  return [
    ...models.map((model): Subject => ({
      ...model,
      type: 'bug',
      options: model.options ?? {},
      expected: model.mustFire,
    })),
    ...models.map((model): Subject => ({
      ...model,
      type: 'fixed',
      program: model.twin,
      options: model.options ?? {},
      expected: [],
    })),
    ...noFalseAlarms.map((one): Subject => ({
      ...one,
      type: 'correct',
      options: one.options ?? {},
      expected: [],
    })),
    ...mutations.flatMap((mutation): Subject[] => {
      const model = models.find(({ id }) => id === mutation.of)
      if (model === undefined) throw new Error(`${mutation.id} changes an unknown model`)
      return [
        {
          ...model,
          type: 'mutant',
          id: mutation.id,
          summary: `${mutation.of}: ${mutation.what}`,
          program: mutation.program,
          options: model.options ?? {},
          expected: [],
        },
      ]
    }),
  ]
}

/** Whether a program has a bug that must be found. */
export function isBuggy({ type }: Pick<Subject, 'type'>): boolean {
  return type === 'bug' || type === 'mutant'
}
