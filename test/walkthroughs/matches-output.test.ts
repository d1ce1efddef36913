import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLines, lineExpression, matchesOutput } from './matches-output.ts'

test('output matches itself', () => {
  const line = fc.string({ unit: fc.constantFrom(...'aeiou0 -./:[]()|$^*+?\\{}"'.split('')) })
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const output = lines.join('\n')
      const expected = output.split('\n')
      while (expected.at(-1)?.trim() === '') expected.pop()
      while (expected[0]?.trim() === '') expected.shift()
      expect(matchesOutput(expected, output)).toBe(true)
    }),
  )
})

test('another word does not match', () => {
  const word = fc.stringMatching(/^[aeiou]{1,8}$/)
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(matchesOutput([a], b)).toBe(a === b)
    }),
  )
})

test('dots match any text', () => {
  const lines = fc.array(fc.stringMatching(/^[aeiou]{1,4}$/), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat(), (all, a, b) => {
      const [from, to] = [a % (all.length + 1), b % (all.length + 1)].sort((x, y) => x - y)
      const expected = [...all.slice(0, from), '...', ...all.slice(to)]
      expect(matchesOutput(expected, all.join('\n'))).toBe(true)
    }),
  )
})

test.each([
  ['5s', '2m3s'],
  ['created 51s ago', 'created 3d4h ago'],
  ['took 350ms', 'took 1.2s'],
  ['pod/web-7d4b9c5f6c-x2x4z', 'pod/web-59c8d7b4d-bbbbb'],
  ['job/once-x2x4z done', 'job/once-kkkkk done'],
  ['10.96.138.65', '10.96.0.1'],
  ['https://127.0.0.1:33313', 'https://127.0.0.1:9999'],
  ['uid: 5003b1b3-7016-45c4-adc8-cb9890ff2768', 'uid: 00000000-7016-45c4-adc8-cb9890ff2768'],
  ['at 2026-11-16T11:52:02Z', 'at 2030-01-01T00:00:00.123Z'],
  ['  resourceVersion: "294"', '  resourceVersion: "7"'],
  ['80:31234/TCP', '80:30000/TCP'],
  ['NAME   AGE', 'NAME          AGE'],
  ['pod "a" deleted from default namespace', 'pod "a" deleted'],
  ['error: ... not found', 'error: widgets "x" not found'],
])('the expected line %j matches %j', (expected, line) => {
  expect(lineExpression(expected).test(line)).toBe(true)
})

test.each([
  ['web', 'web-7d4b9c5f6c-x2x4z'],
  ['web-application', 'web-7d4b9c'],
  ['replicas: 3', 'replicas: 4'],
  ['my-app-v1alpha1', 'my-app-v1alpha2'],
  ['1/1', '0/1'],
  ['age 5s', 'age five'],
  ['NAME AGE', 'NAMEAGE'],
])('%s does not stand for %s', (expected, line) => {
  expect(lineExpression(expected).test(line)).toBe(false)
})

test('missing and additional lines do not match', () => {
  expect(matchesOutput(['a', 'e'], 'a')).toBe(false)
  expect(matchesOutput(['a'], 'a\ne')).toBe(false)
  expect(matchesOutput(['a', '...'], 'a\ne')).toBe(true)
  expect(matchesOutput(['a', '...', 'a'], 'a')).toBe(false)
  expect(matchesOutput(['...'], '')).toBe(true)
})

test('ignores colours', () => {
  expect(matchesOutput(['ready'], '\u001b[32mready\u001b[39m\n')).toBe(true)
})

test('finds lines of a running program in order, with other lines between them', () => {
  const lines = ['a', 'x', 'e', 'a']
  expect(findLines(['a', 'e'], lines)).toBe(3)
  expect(findLines(['a'], lines, 3)).toBe(4)
  expect(findLines(['e', 'x'], lines)).toBeUndefined()
  expect(findLines([], lines, 2)).toBe(2)
})
