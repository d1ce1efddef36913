import { expect, test } from 'vitest'
import * as z from 'zod'
import { type AnyOperator, defineResource, operator, rule } from 'setpoint'
import { ConfigMap, defineKind, Deployment, Pod, Secret, type StoredMetadata } from 'setpoint/kinds'
import { checkExpressions } from './check-expressions.ts'

const App = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({ size: z.int32() }),
})

async function problemOf(...operators: AnyOperator[]): Promise<string> {
  return checkExpressions(operators).then(
    () => '',
    (error: unknown) => (error as Error).message,
  )
}

const pods = operator(Pod, { name: 'pod-rules' })

function podRule(expression: string): Promise<string> {
  return problemOf(pods.policy('p', { rules: [rule(expression)] }))
}

test.for([
  ["request.operation == 'CREATE'", ''],
  ['object.spec.anything == 1', ''],
  ["authorizer.group('').resource('pods').check('get').allowed()", ''],
  ['request.operation = 1', "Syntax error: token recognition error at: '= '"],
  ['obj == null', "undeclared reference to 'obj'"],
  ["'a' + 'b'", 'must evaluate to bool but got string'],
  ['request.name == 1', "no matching overload for '_==_' applied to '(string, int)'"],
] as const)('the match condition %s of a function: %s', async ([expression, problem]) => {
  const reviewed = pods.validate(() => [], {
    id: 'limits',
    matchConditions: { 'my-one': expression },
  })
  const found = await problemOf(reviewed)
  if (problem === '') return expect(found).toBe('')
  expect(found).toContain(
    `the function limits of .validate of pod-rules: match condition my-one: Invalid value: ${JSON.stringify(expression)}: `,
  )
  expect(found).toContain(problem)
})

test('the rules of policies are checked with the types of built-in kinds', async () => {
  expect(await podRule("object.spec.containers.all(c, !c.image.endsWith(':latest'))")).toBe('')
  expect(await podRule('object.spec.container.size() > 0')).toContain(
    'the policy p of pod-rules: spec.validations[0].expression: Invalid value: "object.spec.container.size() > 0": compilation failed: ERROR: <input>:1:12: undefined field \'container\'',
  )
})

test('policies of own kinds, subresources and parameters have their types', async () => {
  const apps = operator(App)
  const scales = operator(Deployment, { name: 'scales' })
  const params = { kind: ConfigMap, name: 'limits' }
  const good = [
    apps.policy('own', { rules: [rule("object.spec.size < 3 && object.metadata.name != ''")] }),
    scales.policy('few', { rules: [rule('object.spec.replicas < 3')], subresource: 'scale' }),
    pods
      .policy('exec', {
        rules: [rule('!object.stdin')],
        subresource: 'exec',
        operations: ['CONNECT'],
      })
      .policy('limited', { rules: [rule("params.data['max'] != ''")], params }),
    operator(Secret, { name: 'secrets' }).policy('encoded', {
      rules: [rule("object.data['a'].startsWith('YQ')")],
    }),
  ]
  expect(await problemOf(...good)).toBe('')
  const bad = [
    apps.policy('own', { rules: [rule('object.spec.sise < 3')] }),
    scales.policy('few', { rules: [rule('object.spec.selector != null')], subresource: 'scale' }),
    pods.policy('limited', { rules: [rule('params.spec.max > 1')], params }),
  ]
  const found = await problemOf(...bad)
  expect(found.match(/undefined field '\w+'/g)).toEqual([
    "undefined field 'sise'",
    "undefined field 'selector'",
    "undefined field 'spec'",
  ])
})

test('the fields of kinds of other programs are not checked', async () => {
  interface Certificate {
    apiVersion: string
    kind: 'Certificate'
    metadata: StoredMetadata<'Namespaced'>
  }
  const Certificate = defineKind<Certificate>({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    plural: 'certificates',
    singular: 'certificate',
    scope: 'Namespaced',
  })
  const certificates = operator(Certificate, { name: 'certificates' })
  const long = certificates.policy('long', { rules: [rule("object.spec.duration != ''")] })
  expect(await problemOf(long)).toBe('')
})
