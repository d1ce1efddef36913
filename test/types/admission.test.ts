/** What `.validate`, `.mutate` and `.policy` accept and refuse at compile time. */
import * as z from 'zod'
import { expect, expectTypeOf, test } from 'vitest'
import { defineResource, operator, problem, rule } from 'setpoint'
import { ConfigMap, Deployment, Pod, type Scale } from 'setpoint/kinds'

const App = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({ image: z.string(), replicas: z.int32().default(1) }),
})

const pods = { name: 'pods' }

test('the path of a problem must be a field of the object', () => {
  operator(App).validate(() => [problem('spec.replicas', 'too many')])
  operator(App).validate(async () => [problem('metadata.labels', 'missing')])
  // @ts-expect-error: App has no field spec.replica
  operator(App).validate(() => [problem('spec.replica', 'too many')])
  // @ts-expect-error: App has no field spec.replica
  operator(App).validate(async () => [problem('spec.replica', 'too many')])
  operator(Pod, pods).validate(({ spec }) =>
    spec.containers.map((_, index) => problem(`spec.containers[${index}].image`, 'wrong')),
  )
  operator(Pod, pods).validate(({ spec }) =>
    // @ts-expect-error: containers have no field img
    spec.containers.map((_, index) => problem(`spec.containers[${index}].img`, 'wrong')),
  )
  expect(problem('spec.a', 'b')).toEqual({ path: 'spec.a', message: 'b', type: undefined })
})

test('a function may return texts, or nothing', () => {
  operator(App).validate(() => ['not now'])
  operator(App).validate(() => undefined)
  operator(App).validate(() => {})
  // @ts-expect-error: a text is not a list
  operator(App).validate(() => 'not now')
})

test('objects have the types of their kind, and those of subresources their own', () => {
  operator(App).validate((app, { old, user, dryRun, operation }) => {
    expectTypeOf(app.spec.replicas).toEqualTypeOf<number>()
    expectTypeOf(old?.spec.image).toEqualTypeOf<string | undefined>()
    expectTypeOf(user.username).toEqualTypeOf<string>()
    expectTypeOf(dryRun).toEqualTypeOf<boolean>()
    expectTypeOf(operation).toEqualTypeOf<'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'>()
    // @ts-expect-error: only a mutation changes objects
    app.spec.replicas = 2
    return []
  })
  operator(Deployment, { name: 'scales' }).validate(
    (scale) => {
      expectTypeOf(scale.kind).toEqualTypeOf<Scale['kind']>()
      return [problem('spec.replicas', 'too many')]
    },
    { subresource: 'scale' },
  )
  operator(Pod, pods).validate(
    ({ command }) => {
      expectTypeOf(command).toEqualTypeOf<readonly string[] | undefined>()
    },
    { subresource: 'exec', operations: ['CONNECT'] },
  )
})

test('a mutation changes the draft, or returns the object', () => {
  operator(ConfigMap, { name: 'maps' }).mutate((draft) => {
    draft.metadata.labels = { a: 'b' }
  })
  operator(App).mutate((app) => ({ ...app, spec: { ...app.spec, image: 'pinned' } }))
  // @ts-expect-error: the image is a text
  operator(App).mutate((app) => ({ ...app, spec: { ...app.spec, image: 1 } }))
})

const rules = [rule('true', 'why')]
const mutations = [{ jsonPatch: '[]' }]

test('a policy has rules or mutations, with the options of each', () => {
  const declared = operator(Pod, pods)
    .policy('a', { rules, actions: ['Warn', 'Audit'], auditAnnotations: { a: "'b'" } })
    .policy('b', { rules: [{ expression: 'true', reason: 'Forbidden' }], operations: ['DELETE'] })
    .policy('c', { auditAnnotations: { a: "'b'" } })
    .policy('d', { mutations, reinvocationPolicy: 'IfNeeded', operations: ['CREATE'] })
    .policy('e', { mutations: [{ applyConfiguration: 'Object{}' }] })
  expect(declared.declaration.policies.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e'])
  const refused = [
    // @ts-expect-error: it does nothing
    () => declared.policy('f', {}),
    // @ts-expect-error: Kubernetes has a kind for each
    () => declared.policy('f', { rules, mutations }),
    // @ts-expect-error: Deny and Warn exclude each other
    () => declared.policy('f', { rules, actions: ['Deny', 'Warn'] }),
    // @ts-expect-error: nothing can be changed at a deletion
    () => declared.policy('f', { mutations, operations: ['DELETE'] }),
    // @ts-expect-error: one expression for each mutation
    () => declared.policy('f', { mutations: [{ jsonPatch: '[]', applyConfiguration: 'x' }] }),
    // @ts-expect-error: only rules of definitions have a path
    () => declared.policy('f', { rules: [rule('true', { fieldPath: '.spec' })] }),
  ]
  for (const declare of refused) expect(declare).toThrow('the policy "f" for Pod')
  // @ts-expect-error: mutations have no actions
  declared.policy('f', { mutations, actions: ['Deny'] })
  // @ts-expect-error: rules are not evaluated again
  declared.policy('f', { rules, reinvocationPolicy: 'Never' })
  // @ts-expect-error: rules of policies have other reasons
  declared.policy('f', { rules: [{ expression: 'true', reason: 'FieldValueInvalid' }] })
})

test('the parameters of a policy have a name or a selector', () => {
  const declare = operator(Pod, pods)
  declare.policy('a', { rules, params: { kind: ConfigMap, name: 'limits', namespace: 'a' } })
  declare.policy('a', { rules, params: { kind: ConfigMap, selector: { a: 'b' } } })
  expect(() =>
    // @ts-expect-error: neither
    declare.policy('a', { rules, params: { kind: ConfigMap } }),
  ).toThrow('without exactly one of name and selector')
  expect(() =>
    // @ts-expect-error: both
    declare.policy('a', { rules, params: { kind: ConfigMap, name: 'a', selector: { a: 'b' } } }),
  ).toThrow('without exactly one of name and selector')
})
