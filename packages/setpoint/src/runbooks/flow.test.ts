import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StepState, StepStatus } from '../definition/index.ts'
import { activeLeaves, leavesOf } from './flow.ts'
import type { StepNode } from './step-node.ts'

const leaf = (name: string): StepNode => ({
  is: 'code',
  name,
  retry: {},
  run: async () => undefined,
})
const group = (is: 'serial' | 'parallel', name: string, ...steps: StepNode[]): StepNode => ({
  is,
  name,
  steps,
})

const steps = [
  leaf('a'),
  group('parallel', 'p', leaf('x'), group('serial', 's', leaf('one'), leaf('two'))),
  leaf('z'),
]

const statuses = (states: Readonly<Record<string, StepState>>): StepStatus[] =>
  Object.entries(states).map(([name, state]) => ({ name, state }))

test('names of steps in groups begin with the names of the groups', () => {
  expect(leavesOf(steps).map(({ id }) => id)).toEqual(['a', 'p/x', 'p/s/one', 'p/s/two', 'z'])
})

test.each<[Record<string, StepState>, string[]]>([
  [{}, ['a']],
  [{ a: 'Running' }, ['a']],
  [{ a: 'Failed' }, ['a']],
  [{ a: 'Complete' }, ['p/x', 'p/s/one']],
  [{ a: 'Skipped', 'p/x': 'Complete' }, ['p/s/one']],
  [{ a: 'Complete', 'p/s/one': 'Complete' }, ['p/x', 'p/s/two']],
  [{ a: 'Complete', 'p/x': 'Complete', 'p/s/one': 'Complete', 'p/s/two': 'Skipped' }, ['z']],
])('with %j the steps %j are active', (states, expected) => {
  expect(activeLeaves(steps, statuses(states)).map(({ id }) => id)).toEqual(expected)
})

const tree = fc.letrec<{ node: StepNode }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(leaf('leaf')),
    fc
      .tuple(
        fc.constantFrom('serial' as const, 'parallel' as const),
        fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
      )
      .map(([is, nodes]) =>
        group(is, 'group', ...nodes.map((node, at) => ({ ...node, name: `${node.name}${at}` }))),
      ),
  ),
})).node

test('completing active steps in any order passes every step once', () => {
  fc.assert(
    fc.property(
      fc.array(tree, { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
      (nodes, picks) => {
        const named = nodes.map((node, at) => ({ ...node, name: `${node.name}${at}` }))
        const passed: string[] = []
        for (;;) {
          const done = statuses(Object.fromEntries(passed.map((id) => [id, 'Complete' as const])))
          const active = activeLeaves(named, done)
          if (active.length === 0) break
          const pick = (picks.next().value as number) % active.length
          passed.push(active[pick]?.id ?? '')
        }
        expect(passed.toSorted()).toEqual(
          leavesOf(named)
            .map(({ id }) => id)
            .toSorted(),
        )
      },
    ),
  )
})
