import { expect, test } from 'vitest'
import { type Candidate, type LeaderState, nextAction, type Term } from './next-action.ts'

const pod = (id: string, more: Partial<Candidate> = {}): Candidate => ({
  id,
  isSelected: true,
  isReady: true,
  isEnding: false,
  hasLabel: false,
  ...more,
})
const term = (holder: string, former = '', renewedMs = 100_000): Term => ({
  holder,
  former,
  renewedMs,
})
const a = pod('a', { hasLabel: true })

interface Row {
  readonly when: string
  readonly candidates: readonly Candidate[]
  readonly term?: Term
  readonly does: ReturnType<typeof nextAction>
}

const rows: readonly Row[] = [
  { when: 'there is no pod', candidates: [], does: { do: 'wait', ms: Infinity } },
  {
    when: 'no pod is ready',
    candidates: [pod('a', { isReady: false })],
    does: { do: 'wait', ms: Infinity },
  },
  {
    when: 'the first pod is ready',
    candidates: [pod('a', { isReady: false }), pod('b')],
    does: { do: 'choose', holder: 'b', former: '' },
  },
  {
    when: 'the chosen pod has no label',
    candidates: [pod('a'), pod('b')],
    term: term('a'),
    does: { do: 'label', pod: 'a' },
  },
  {
    when: 'all is well',
    candidates: [a, pod('b')],
    term: term('a'),
    does: { do: 'wait', ms: 4000 },
  },
  {
    when: 'a third of the lease has passed',
    candidates: [a],
    term: term('a', '', 96_000),
    does: { do: 'renew' },
  },
  {
    when: 'the leader is not ready for a short time',
    candidates: [pod('a', { hasLabel: true, isReady: false }), pod('b')],
    term: term('a', '', 95_000),
    does: { do: 'wait', ms: 9000 },
  },
  {
    when: 'the leader was not ready for the time of the lease',
    candidates: [pod('a', { hasLabel: true, isReady: false }), pod('b')],
    term: term('a', '', 86_000),
    does: { do: 'choose', holder: 'b', former: 'a' },
  },
  {
    when: 'the leader is not ready, and there is no other',
    candidates: [pod('a', { hasLabel: true, isReady: false })],
    term: term('a', '', 86_000),
    does: { do: 'wait', ms: 15_000 },
  },
  {
    when: 'the leader is terminating',
    candidates: [pod('a', { hasLabel: true, isEnding: true }), pod('b')],
    term: term('a'),
    does: { do: 'choose', holder: 'b', former: 'a' },
  },
  {
    when: 'the leader is gone, and no pod is ready',
    candidates: [pod('b', { isReady: false })],
    term: term('a'),
    does: { do: 'choose', holder: '', former: 'a' },
  },
  {
    when: 'the leader lost the labels of the selector',
    candidates: [pod('a', { hasLabel: true, isSelected: false }), pod('b')],
    term: term('a'),
    does: { do: 'choose', holder: 'b', former: 'a' },
  },
  {
    when: 'the process before ended after it chose',
    candidates: [a, pod('b')],
    term: term('b', 'a'),
    does: { do: 'fence', pod: 'a' },
  },
  {
    when: 'the former leader may get its label from a late write',
    candidates: [pod('a'), pod('b')],
    term: term('b', 'a'),
    does: { do: 'fence', pod: 'a' },
  },
  {
    when: 'another pod has the label',
    candidates: [a, pod('b', { hasLabel: true })],
    term: term('a'),
    does: { do: 'unlabel', pod: 'b' },
  },
]

test.each(rows)('when $when: $does.do', ({ candidates, term: of, does }) => {
  const state: LeaderState = { candidates, term: of, leaseMs: 15_000, nowMs: 101_000 }
  expect(nextAction(state)).toEqual(does)
})
