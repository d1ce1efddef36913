import { expect, test } from 'vitest'
import { selects } from './label-selector.ts'

const labels = { app: 'web', tier: 'front' }

test.each([
  ['an empty selector', {}, true],
  ['a missing selector', undefined, false],
  ['plain labels', { app: 'web' }, true],
  ['plain labels with another value', { app: 'db' }, false],
  ['labels', { matchLabels: { app: 'web', tier: 'front' } }, true],
  ['labels of which one is missing', { matchLabels: { app: 'web', zone: 'a' } }, false],
  ['In', { matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] }, true],
  [
    'In of a missing label',
    { matchExpressions: [{ key: 'x', operator: 'In', values: ['web'] }] },
    false,
  ],
  ['NotIn', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
  [
    'NotIn of a missing label',
    { matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['web'] }] },
    true,
  ],
  ['Exists', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
  ['DoesNotExist', { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
])('matches %s as Kubernetes does', (_, selector, isSelected) => {
  expect(selects(selector as never, labels)).toBe(isSelected)
})
