/** What `serveResource` accepts and refuses at compile time. */
import * as z from 'zod'
import { expect, expectTypeOf, test } from 'vitest'
import { defineResource, serveApi, serveResource } from 'setpoint'

const Usage = defineResource({
  group: 'usage.example.com',
  version: 'v1',
  kind: 'Usage',
  spec: z.object({ cpu: z.string(), pods: z.int32().default(0) }),
})
const Zone = defineResource({
  group: 'usage.example.com',
  version: 'v1',
  kind: 'Zone',
  scope: 'Cluster',
  spec: z.object({}),
})

const one = { metadata: { name: 'a' }, spec: { cpu: '1', pods: 2 } }

test('functions return objects of the definition, without apiVersion and kind', () => {
  const api = serveApi({
    resources: [serveResource(Usage, { get: async () => one, list: () => ({ items: [one] }) })],
  })
  expect(api.declaration.options.name).toBe('v1.usage.example.com')
  // @ts-expect-error: cpu is text
  serveResource(Usage, { get: () => ({ ...one, spec: { cpu: 1, pods: 2 } }), list: () => [] })
  // @ts-expect-error: an object needs a name
  serveResource(Usage, { get: () => ({ metadata: {}, spec: one.spec }), list: () => [] })
  // @ts-expect-error: list is missing
  serveResource(Usage, { get: () => one })
})

test('functions receive the types of the definition', () => {
  serveResource(Usage, {
    get: ({ name, namespace, user }) => {
      expectTypeOf(name).toEqualTypeOf<string>()
      expectTypeOf(namespace).toEqualTypeOf<string>()
      expectTypeOf(user.groups).toEqualTypeOf<readonly string[]>()
      return undefined
    },
    list: ({ namespace }) => {
      expectTypeOf(namespace).toEqualTypeOf<string | undefined>()
      return []
    },
    create: ({ metadata, spec }, { dryRun }) => {
      expectTypeOf(metadata.uid).toEqualTypeOf<string>()
      expectTypeOf(metadata.namespace).toEqualTypeOf<string>()
      expectTypeOf(spec.pods).toEqualTypeOf<number>()
      expectTypeOf(dryRun).toEqualTypeOf<boolean>()
    },
    update: (next, { old }) => {
      expectTypeOf(old.spec.cpu).toEqualTypeOf<string>()
      return next
    },
  })
  serveResource(Zone, {
    get: ({ namespace }) => {
      expectTypeOf(namespace).toEqualTypeOf<undefined>()
      return undefined
    },
    list: () => [],
  })
})
