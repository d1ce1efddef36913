import { expect, test } from 'vitest'
import type { StructuralSchema } from '../../schema/index.ts'
import { policyProblems } from './policy-problems.ts'

const text: StructuralSchema = { type: 'string' }
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: {
      type: 'object',
      properties: {
        name: text,
        generateName: text,
        namespace: text,
        creationTimestamp: { type: 'string', format: 'date-time' },
        labels: { type: 'object', additionalProperties: text },
      },
    },
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        port: { 'x-kubernetes-int-or-string': true },
        key: { type: 'string', format: 'byte' },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        recursive: { type: 'object' },
        list: { type: 'array', items: { type: 'object', properties: { image: text } } },
      },
    },
  },
}
const object = { group: 'example.com', version: 'v1', kind: 'App', schema }

function problemsOf(expression: string): string[] {
  const spec = { validations: [{ expression }] }
  return policyProblems(spec, { object }).map(({ problem }) => problem)
}

test.for([
  'object.spec.replicas < 3',
  'object.spec.list.all(one, has(one.image))',
  "object.metadata.namespace == 'a' && oldObject == null",
  "object.metadata.labels['a'] == 'b'",
  "timestamp(object.metadata.creationTimestamp) < timestamp('2030-01-01T00:00:00Z')",
  "object.metadata.creationTimestamp.startsWith('2030')",
  "object.spec.key.startsWith('YQ')",
  "object.spec.port == 1 || object.spec.port == 'http'",
  'object.spec.any.thing.goes > 1',
  'object.spec.recursive.part == 1',
  "authorizer.requestResource.check('delete').allowed()",
  "request.userInfo.groups.exists(g, g == 'a')",
])('the expression %s fits', (expression) => {
  expect(problemsOf(expression)).toEqual([])
})

test.for([
  ['object.spec.', 'compilation failed: ERROR: <input>:1:13: Syntax error'],
  ['obj.spec.replicas < 3', "undeclared reference to 'obj'"],
  ['object.spec.replicas', 'must evaluate to bool but got dyn'],
  ['object.spec.replica < 3', "ERROR: <input>:1:12: undefined field 'replica'"],
  ["object.spec.replicas == 'a'", "no matching overload for '_==_' applied to '(int, string)'"],
  ['object.spec.list.all(one, has(one.img))', "undefined field 'img'"],
  ['params.max > 1', "undeclared reference to 'params'"],
] as const)('the expression %s is wrong: %s', ([expression, problem]) => {
  expect(problemsOf(expression)).toEqual([expect.stringContaining(problem)])
})

test('problems of all expressions are found, with their places', () => {
  const wrong = 'object.spec.wrong'
  const spec = {
    paramKind: { apiVersion: 'example.com/v1', kind: 'App' },
    matchConditions: [{ expression: `${wrong} == 1` }],
    variables: [
      { name: 'a', expression: wrong },
      { name: 'b', expression: 'object.spec.replicas' },
    ],
    validations: [
      { expression: 'params.spec.wrong > 1', messageExpression: `string(${wrong})` },
      { expression: "variables.b == 'a'" },
    ],
    auditAnnotations: [{ valueExpression: `string(${wrong})` }],
    mutations: [
      { patchType: 'JSONPatch', jsonPatch: { expression: `[JSONPatch{op: ${wrong}}]` } },
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: `Object{spec: Object.spec{a: ${wrong}}}` },
      },
    ],
  }
  const found = policyProblems(spec, { object, params: object })
  expect(found.map(({ field }) => field)).toEqual([
    'spec.matchConditions[0].expression',
    'spec.variables[0].expression',
    'spec.validations[0].expression',
    'spec.validations[0].messageExpression',
    'spec.validations[1].expression',
    'spec.auditAnnotations[0].valueExpression',
    'spec.mutations[0].jsonPatch.expression',
    'spec.mutations[1].applyConfiguration.expression',
  ])
})

test('the fields of a kind without a known schema are not checked', () => {
  const spec = { validations: [{ expression: 'object.spec.anything > 1' }] }
  expect(policyProblems(spec, {})).toEqual([])
})
