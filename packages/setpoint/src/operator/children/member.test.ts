import { expect, test } from 'vitest'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { ChildDeclaration } from '../declare/operator-declaration.ts'
import { type Member, mayWrite, stateAfter, stateBefore } from './member.ts'

type MemberState = Member['state']

const live: ApiResource = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1' },
}
const terminating = {
  ...live,
  metadata: { ...live.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
}
const child: ChildDeclaration = {
  name: 'a',
  kind: {} as never,
  desired: () => null,
  isSet: true,
}
const neverReady: ChildDeclaration = { ...child, readyWhen: () => false }
const rollout: ChildDeclaration = { ...child, rollout: { maxUnavailable: 1 } }

test.each<[MemberState, Partial<Parameters<typeof stateBefore>[0]>]>([
  ['missing', { live: undefined, isUpToDate: false }],
  ['waiting', { live: undefined, isUpToDate: false, isWaiting: true }],
  ['waiting', { isUpToDate: false, isWaiting: true }],
  ['outdated', { isUpToDate: false }],
  ['updating', { isReady: false }],
  ['ready', {}],
  ['ready', { isWaiting: true }],
  ['terminating', { live: terminating, isUpToDate: false, isWaiting: true }],
])('a member is %s before it is written: %j', (state, facts) => {
  const given = { live, isUpToDate: true, isWaiting: false, isReady: true, ...facts }
  expect(stateBefore(given)).toBe(state)
})

test.each<[MemberState, MemberState, ChildDeclaration, Parameters<typeof stateAfter>[1]]>([
  ['ready', 'missing', child, { object: live, effect: 'written' }],
  ['updating', 'missing', neverReady, { object: live, effect: 'written' }],
  ['ready', 'outdated', child, { object: live, effect: 'written' }],
  ['updating', 'outdated', rollout, { object: live, effect: 'written' }],
  ['terminating', 'outdated', child, { object: live, effect: 'deleted' }],
  ['terminating', 'terminating', child, { object: terminating, effect: 'none' }],
])('a member is %s after it was %s', (...[after, before, declared, applied]) => {
  expect(stateAfter(before, applied, declared)).toBe(after)
})

function members(...states: readonly MemberState[]): Member[] {
  return states.map((state, index) => ({
    key: String(index),
    manifest: {} as never,
    live: state === 'missing' ? undefined : live,
    state,
  }))
}

test.each<[boolean, ChildDeclaration, readonly MemberState[]]>([
  [true, child, ['outdated', 'outdated']],
  [true, rollout, ['outdated', 'ready', 'ready']],
  [false, rollout, ['outdated', 'updating', 'ready']],
  [false, rollout, ['outdated', 'terminating', 'ready']],
  [true, rollout, ['missing', 'updating']],
  [true, rollout, ['updating', 'updating']],
  [false, child, ['waiting', 'ready']],
  [false, { ...rollout, rollout: { maxUnavailable: '50%' } }, ['outdated', 'updating', 'ready']],
  [true, { ...rollout, rollout: { maxUnavailable: '70%' } }, ['outdated', 'updating', 'ready']],
  [true, { ...rollout, rollout: { maxUnavailable: 0 } }, ['outdated', 'ready']],
  [true, { ...neverReady, rollout: { maxUnavailable: 1 } }, ['outdated', 'updating', 'ready']],
])('mayWrite is %s for the first member of %j', (expected, declared, states) => {
  const all = members(...states)
  const [first] = all
  expect(first !== undefined && mayWrite(all, first, declared)).toBe(expected)
})
