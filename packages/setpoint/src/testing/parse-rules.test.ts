import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource, immutable, rule } from '../definition/index.ts'
import './index.ts'

const Range = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Range',
  spec: z
    .object({
      min: z.int().default(0),
      max: z.int(),
      zone: z.string().check(immutable()),
    })
    .check(rule('self.min <= self.max', { message: 'min must not exceed max', fieldPath: '.max' })),
  rules: [rule("self.metadata.name != 'none'")],
})

const range = (spec: object, name = 'a'): object => ({ metadata: { name }, spec })

test('parse checks CEL rules after the engine is loaded, with the messages of a server', () => {
  expect(Range.parse(range({ max: 1, zone: 'x' })).spec).toEqual({ min: 0, max: 1, zone: 'x' })
  const result = Range.safeParse(range({ min: 2, max: 1, zone: 'x' }))
  expect(result.success ? [] : result.issues).toEqual([
    { field: 'spec.max', message: 'Invalid value: min must not exceed max' },
  ])
  expect(() => Range.parse(range({ max: 1, zone: 'x' }, 'none'))).toThrow(
    "failed rule: self.metadata.name != 'none'",
  )
})

test('rules over the whole object count if it has a name', () => {
  expect(Range.safeParse({ spec: { max: 1, zone: 'x' } }).success).toBe(true)
  expect(Range.safeParse({ spec: { min: 2, max: 1, zone: 'x' } }).success).toBe(false)
})

test('rules are checked after defaults, and only if the types are right', () => {
  expect(Range.safeParse(range({ max: -1, zone: 'x' })).success).toBe(false)
  const result = Range.safeParse(range({ min: 2, max: 'x', zone: 'x' }))
  expect(result.success ? [] : result.issues.map(({ field }) => field)).toEqual(['spec.max'])
})

test('rules can be left out, and conversions leave them out', () => {
  const wrong = range({ min: 2, max: 1, zone: 'x' })
  expect(Range.safeParse(wrong, { rules: 'skip' }).success).toBe(true)
  expect(() => Range.parse(wrong, { rules: 'check' })).toThrow('min must not exceed max')
  expect(Range.convert({ apiVersion: 'example.com/v1', ...wrong } as never, 'v1')).toMatchObject({
    spec: { min: 2, max: 1 },
  })
})
