/**
 * Each pair: the decoding error of a patched deployment, and the message of a 1.36 server for the
 * same patch.
 */
import { expect, test } from 'vitest'
import { conversionProblem } from './conversion-problem.ts'

const into = (given: string, type: string): string =>
  `json: cannot unmarshal ${given} into Go struct field Some.field of type ${type}`

test.each([
  [into('string', 'bool'), 'unrecognized type: bool'],
  [into('number', 'bool'), 'unrecognized type: bool'],
  [into('number 1.5', 'int32'), 'cannot convert float64 to int32'],
  [into('bool', 'int32'), 'unrecognized type: int32'],
  [into('object', 'int32'), 'unrecognized type: int32'],
  [into('string', 'int64'), 'unrecognized type: int64'],
  [into('number', 'string'), 'cannot convert int64 to string'],
  [into('bool', 'string'), 'unrecognized type: string'],
  [into('object', 'string'), 'unrecognized type: string'],
  [into('number', 'v1.PullPolicy'), 'cannot convert int64 to v1.PullPolicy'],
  [into('string', 'v1.PodTemplateSpec'), 'cannot restore struct from: string'],
  [into('array', 'v1.PodTemplateSpec'), 'cannot restore struct from: slice'],
  [into('number', 'v1.RollingUpdateDeployment'), 'cannot restore struct from: int64'],
  [into('string', 'map[string]string'), 'cannot restore map from string'],
  [into('string', '[]v1.Container'), 'cannot restore slice from string'],
])('%s', (decoding, converting) => {
  expect(conversionProblem(decoding)).toBe(converting)
})

test('keeps errors of another form', () => {
  const problem = 'quantities must match the regular expression'
  expect(conversionProblem(problem)).toBe(problem)
})
