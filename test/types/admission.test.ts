/** What `.validate` and `.mutate` accept and refuse at compile time. */
import * as z from 'zod'
import { expect, expectTypeOf, test } from 'vitest'
import { defineResource, operator, problem } from 'setpoint'
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
