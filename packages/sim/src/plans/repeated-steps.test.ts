import { expect, test } from 'vitest'
import type { CanonicalState } from '../state/canonical-state.ts'
import type { Step } from '../workload/step.ts'
import { repeatedSteps } from './repeated-steps.ts'

const create = (name: string): Step => ({
  do: 'create',
  name,
  object: { metadata: { name: 'oak' }, spec: { size: 1 } },
})
const remove: Step = { do: 'delete', name: 'delete oak', object: 'oak' }

const withOak = (uid: string, size = '1'): CanonicalState =>
  new Map([['example.com/shops default/oak', { uid, fields: new Map([['spec.size', size]]) }]])
const empty: CanonicalState = new Map()

test('a creation after a deletion repeats the first one, whatever the uid', () => {
  const repeated = repeatedSteps([
    { steps: [create('create oak')], state: withOak('a') },
    { steps: [remove], state: empty },
    { steps: [create('create oak again')], state: withOak('b') },
    { steps: [remove], state: empty },
  ])
  expect([...repeated]).toEqual([2, 3])
})

test('the same action in another state is not a repetition', () => {
  const left: CanonicalState = new Map([
    ['/configmaps default/left', { uid: '', fields: new Map() }],
  ])
  const repeated = repeatedSteps([
    { steps: [create('create oak')], state: withOak('a') },
    { steps: [remove], state: left },
    { steps: [create('create oak again')], state: new Map([...left, ...withOak('b')]) },
    { steps: [remove], state: left },
  ])
  expect([...repeated]).toEqual([])
})
