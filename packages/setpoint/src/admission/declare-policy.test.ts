import { expect, test } from 'vitest'
import { rule } from '../definition/index.ts'
import { ConfigMap, Namespace, Node, Pod, ValidatingAdmissionPolicy } from '../kinds/index.ts'
import { declaredPolicy, validationOf } from './declare-policy.ts'

const rules = [rule('true')]

test('a policy reviews creates and updates unless it says otherwise', () => {
  expect(declaredPolicy({ kind: Pod, policies: [] }, 'a', { rules })).toEqual({
    name: 'a',
    kind: Pod,
    subresource: undefined,
    operations: ['CREATE', 'UPDATE'],
    options: { rules },
  })
})

test.for([
  ['No_Latest', { rules }, 'has a name that is not up to 63 lower-case letters'],
  ['a', {}, 'does nothing'],
  ['a', { rules: [] }, 'does nothing'],
  ['a', { mutations: [] }, 'does nothing'],
  ['a', { rules, mutations: [{ jsonPatch: '[]' }] }, 'has rules and mutations'],
  ['a', { mutations: [{}] }, 'has a mutation without exactly one expression'],
  [
    'a',
    { mutations: [{ jsonPatch: '[]', applyConfiguration: 'Object{}' }] },
    'has a mutation without exactly one expression',
  ],
  [
    'a',
    { mutations: [{ jsonPatch: '[]' }], operations: ['DELETE'] },
    'has the operation DELETE, at which nothing can be changed',
  ],
  ['a', { rules, operations: [] }, 'has the operations []'],
  ['a', { rules, operations: ['PATCH'] }, 'has the operations [PATCH]'],
  ['a', { rules, subresource: 'scale' }, 'has the subresource scale, which Pod does not have'],
  ['a', { rules, matchConditions: { 'a b': 'true' } }, 'has a match condition with the name "a b"'],
  ['a', { rules, variables: { 'a-b': '1' } }, 'has the variable "a-b"'],
  ['a', { rules, variables: { in: '1' } }, 'has the variable "in"'],
  ['a', { auditAnnotations: { 'a b': "'1'" } }, 'has the audit annotation "a b"'],
  ['a', { rules, actions: [] }, 'has the actions []'],
  ['a', { rules, actions: ['Deny', 'Warn'] }, 'has the actions [Deny, Warn]'],
  ['a', { rules, actions: ['Deny', 'Deny'] }, 'has the actions [Deny, Deny]'],
  ['a', { rules: [rule('true', 'a\nb')] }, 'has the rule "true", whose message has line breaks'],
  [
    'a',
    { rules: [rule('true', { fieldPath: '.spec' })] },
    'has the rule "true" with fieldPath, which only rules of definitions have',
  ],
  [
    'a',
    { rules, params: { kind: ConfigMap } },
    'has params of the kind ConfigMap without exactly one of name and selector',
  ],
  [
    'a',
    { rules, params: { kind: Node, name: 'n', namespace: 'x' } },
    'has params of the kind Node, which is cluster-scoped, and a namespace',
  ],
] as const)('the policy %s with %o is refused: it %s', ([name, options, problem]) => {
  expect(() => declaredPolicy({ kind: Pod, policies: [] }, name, options as never)).toThrow(
    `the policy "${name}" for Pod ${problem}`,
  )
})

test('a policy for a cluster-scoped kind names the namespace of its params', () => {
  const params = { kind: ConfigMap, name: 'limits' }
  expect(() => declaredPolicy({ kind: Namespace, policies: [] }, 'a', { rules, params })).toThrow(
    'has params of the kind ConfigMap without a namespace, but Namespace is cluster-scoped',
  )
})

test('a policy for policies is refused, because API servers do not review them', () => {
  const declaring = { kind: ValidatingAdmissionPolicy, policies: [] }
  expect(() => declaredPolicy(declaring, 'a', { rules })).toThrow('is never called')
})

test('two policies of an operator have different names', () => {
  const first = declaredPolicy({ kind: Pod, policies: [] }, 'a', { rules })
  expect(() => declaredPolicy({ kind: Pod, policies: [first] }, 'a', { rules })).toThrow(
    'the policy "a" for Pod is declared twice',
  )
})

test.for([
  [rule('true'), { expression: 'true' }],
  [rule('true', 'why'), { expression: 'true', message: 'why' }],
  [
    rule('true', { messageExpression: "'why'" }),
    { expression: 'true', messageExpression: "'why'" },
  ],
  [
    { expression: 'true', reason: 'Forbidden' },
    { expression: 'true', reason: 'Forbidden' },
  ],
] as const)('%o is the validation %o', ([written, validation]) => {
  expect(validationOf(written)).toEqual(validation)
})
