import { expect, test } from 'vitest'
import { RetryLaterError } from '../../controller/index.ts'
import type { ChildDeclaration } from '../declare/operator-declaration.ts'
import type { ChildState } from '../children/child-state.ts'
import { derivedReady, failedReady, type ReadyDecision, readyOf } from './ready.ts'

type ReadyFacts = Parameters<typeof readyOf>[0]

/** A reconcile of the only operator of a resource that ends without a failure. */
const facts: ReadyFacts = {
  isDeclared: true,
  hasFailure: false,
  hasFailedChild: false,
  isStated: false,
  isLeftToOther: false,
  isOnlyOperator: true,
  areFailuresKnown: true,
  reportsFailure: false,
  isFinal: true,
  areChildrenKnown: true,
  areChildrenUnobserved: false,
}

const table: readonly (readonly [string, Partial<ReadyFacts>, ReadyDecision])[] = [
  ['follows from the children by default', {}, 'derived'],
  [
    'is omitted where the resource does not declare it',
    { isDeclared: false, hasFailure: true },
    'omit',
  ],
  ['reports a failure, whatever the author states', { hasFailure: true, isStated: true }, 'failed'],
  [
    'reports a failure of another operator',
    { hasFailure: true, isOnlyOperator: false, isStated: true },
    'failed',
  ],
  [
    'is derived after a child failed, whatever the author states',
    { hasFailedChild: true, isStated: true },
    'derived',
  ],
  [
    'is the author’s after a child failed, where several operators share it',
    { hasFailedChild: true, isOnlyOperator: false, isStated: true },
    'stated',
  ],
  ['is what the author states', { isStated: true }, 'stated'],
  [
    'is what the author states, where several operators share it',
    { isStated: true, isOnlyOperator: false },
    'stated',
  ],
  ['is omitted where several operators share it', { isOnlyOperator: false }, 'omit'],
  ['is omitted where another program sets it', { isLeftToOther: true, hasFailure: true }, 'omit'],
  [
    'is what the author states, even where another program sets it',
    { isLeftToOther: true, isStated: true },
    'stated',
  ],
  [
    'is derived once all operators that share it have recovered',
    { isOnlyOperator: false, reportsFailure: true },
    'derived',
  ],
  [
    'is omitted until the recovery of all operators that share it is known',
    { isOnlyOperator: false, reportsFailure: true, areFailuresKnown: false },
    'omit',
  ],
  [
    'is omitted by updateStatus where several operators share it',
    { isOnlyOperator: false, reportsFailure: true, isFinal: false },
    'omit',
  ],
  [
    'stays as it is while the object is terminating, and for daemons and timers',
    { areChildrenKnown: false, isFinal: false },
    'keep',
  ],
  [
    'stays as it is in updateStatus while children are unobserved',
    { isFinal: false, areChildrenUnobserved: true },
    'keep',
  ],
  [
    'is derived at the end although children are unobserved',
    { areChildrenUnobserved: true },
    'derived',
  ],
  [
    'keeps a failure in updateStatus: the end of the reconcile decides',
    { isFinal: false, reportsFailure: true },
    'keep',
  ],
  ['clears a failure at the end of the reconcile', { reportsFailure: true }, 'derived'],
  ['is derived in updateStatus', { isFinal: false }, 'derived'],
]

test.each(table)('Ready %s', (_, given, decision) => {
  expect(readyOf({ ...facts, ...given })).toBe(decision)
})

const child = (name: string): ChildDeclaration => ({
  name,
  kind: {} as never,
  desired: () => null,
  isSet: false,
})

function stateOf(status: object | undefined): ChildState {
  const metadata = { name: 'a', uid: 'u', resourceVersion: '1', generation: 1 }
  const live =
    status === undefined
      ? undefined
      : { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 3 }, status }
  const state = live === undefined ? 'missing' : 'updating'
  return { members: [{ key: '', manifest: {} as never, live, state }] }
}

test('a derived Ready carries the progress of each child that is not ready', () => {
  const rolling = { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 1 }
  const states = new Map([
    ['web', stateOf(rolling)],
    ['db', stateOf(undefined)],
  ])
  expect(derivedReady([child('web'), child('db')], states, undefined)).toEqual({
    status: 'False',
    reason: 'Progressing',
    message: 'waiting for web: 1 of 3 updated replicas available, db: not created yet',
  })
})

test('a derived Ready is True when all children are ready, or when there are none', () => {
  const ready = new Map([['web', { members: [] }]])
  expect(derivedReady([child('web')], ready, undefined)).toEqual({
    status: 'True',
    reason: 'Reconciled',
    message: 'all children are ready',
  })
  expect(derivedReady([], new Map(), undefined).message).toBe('reconciled')
})

test('a derived Ready says what the reconcile waits for', () => {
  const error = new RetryLaterError('the database is starting')
  expect(derivedReady([], new Map(), error)).toMatchObject({
    status: 'False',
    message: 'the database is starting',
  })
  const failed = new Map([['web', { members: [], error }]])
  expect(derivedReady([child('web')], failed, error).message).toBe(
    'waiting for web: the database is starting',
  )
})

test('a long failure keeps its beginning and its end', () => {
  const { message } = failedReady(`${'a'.repeat(5_000)} spec.port: Invalid value`)
  expect(message.length).toBeLessThanOrEqual(1_000)
  expect(message).toMatch(/^aaa.* \.\.\. .*spec\.port: Invalid value$/)
})
