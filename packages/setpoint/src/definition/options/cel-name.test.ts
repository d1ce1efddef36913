import { expect, test } from 'vitest'
import { celName } from './cel-name.ts'

test.each([
  ['size', 'size'],
  ['namespace', '__namespace__'],
  ['a-b', 'a__dash__b'],
  ['a.b/c', 'a__dot__b__slash__c'],
  ['a__b', 'a__underscores__b'],
  ['0a', undefined],
  ['a b', undefined],
])('names the field %j as %j in a rule', (field, name) => {
  expect(celName(field)).toBe(name)
})
