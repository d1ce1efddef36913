import { defineResource, rule } from 'setpoint'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { checkDefinitionRules } from './check-definition-rules.ts'
import { sampleProblems } from './sample-problems.ts'

function defined(source: string, message: string) {
  return defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Range',
    spec: z.object({ min: z.int32(), max: z.int32().default(10) }),
    rules: [rule(source, { message })],
  })
}

const Range = defined('self.spec.min <= self.spec.max', 'min must not be above max')

test('a rule that does not compile is refused, with its place and the reason', () => {
  expect(() => checkDefinitionRules(Range)).not.toThrow()
  expect(() => checkDefinitionRules(defined('self.spec.other > 1', 'x'))).toThrow(
    /a server would refuse ranges\.example\.com:\nspec\.validation\.openAPIV3Schema\.x-kubernetes-validations\[0\]\.rule: .*undefined field 'other'/s,
  )
})

test('a sample that breaks a rule is reported, after its defaults', () => {
  const sample = (min: number) => ({
    path: 'sample.yaml',
    text: `apiVersion: example.com/v1\nkind: Range\nmetadata: { name: r }\nspec: { min: ${min} }\n`,
  })
  expect(sampleProblems([Range], sample(5))).toEqual([])
  expect(sampleProblems([Range], sample(11))).toEqual([
    {
      path: 'sample.yaml',
      field: '<nil>',
      message: expect.stringContaining('min must not be above max') as string,
    },
  ])
})
