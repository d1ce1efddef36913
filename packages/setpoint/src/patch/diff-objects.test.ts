import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonPatchOperation } from '../client/index.ts'
import { listTypesOf } from '../kinds/list-types-of.ts'
import { Deployment, Service } from '../kinds/index.ts'
import { asMergePatch } from './as-merge-patch.ts'
import { diffObjects } from './diff-objects.ts'

const deployment = listTypesOf(Deployment)
const service = listTypesOf(Service)

const container = {
  name: 'web',
  image: 'nginx',
  ports: [{ containerPort: 80 }],
  resources: { requests: { cpu: '1000m', memory: '0.5Gi' } },
}
const desired = {
  spec: { replicas: 2, template: { spec: { containers: [container], hostNetwork: false } } },
}
const live = {
  metadata: { annotations: { foreign: 'x' } },
  spec: {
    replicas: 2,
    revisionHistoryLimit: 10,
    template: {
      spec: {
        containers: [
          { name: 'injected', image: 'proxy' },
          {
            ...container,
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            resources: { requests: { cpu: '1', memory: '512Mi' } },
            imagePullPolicy: 'Always',
          },
        ],
      },
    },
  },
}

test('ignores fields that the server and other clients added', () => {
  expect(diffObjects(live, desired, deployment).operations).toEqual([])
})

test('restores changed and removed fields, and no others', () => {
  const changed = (change: object): object => ({ spec: { ...live.spec, ...change } })
  expect(diffObjects(changed({ replicas: 3 }), desired, deployment)).toEqual({
    operations: [{ op: 'replace', path: '/spec/replicas', value: 2 }],
    needsRevision: false,
    isOfFields: true,
  })
  expect(diffObjects(changed({ template: {} }), desired, deployment)).toEqual({
    operations: [{ op: 'add', path: '/spec/template/spec', value: desired.spec.template.spec }],
    needsRevision: true,
    isOfFields: true,
  })
})

test('changes a list item by its index, and tests that it is still there', () => {
  const other = { spec: { containers: [{ name: 'x' }, { ...container, image: 'other' }] } }
  const { operations, needsRevision, isOfFields } = diffObjects(
    { spec: { ...live.spec, template: other } },
    desired,
    deployment,
  )
  expect(operations).toEqual([
    { op: 'test', path: '/spec/template/spec/containers/1/name', value: 'web' },
    { op: 'replace', path: '/spec/template/spec/containers/1/image', value: 'nginx' },
  ])
  expect([needsRevision, isOfFields]).toEqual([false, false])
})

test('restores a replaced port of a Service', () => {
  const ports = (port: number) => ({
    spec: { ports: [{ port, protocol: 'TCP', targetPort: port }] },
  })
  const mine = { spec: { ports: [{ port: 80 }] } }
  expect(diffObjects(ports(80), mine, service).operations).toEqual([])
  expect(diffObjects(ports(9090), mine, service).operations).toEqual([
    { op: 'replace', path: '/spec/ports/0', value: { port: 80 } },
  ])
})

test('removes entries of an atomic map that are not desired, and of no other map', () => {
  const selector = { app: 'web' }
  const metadata = { labels: { app: 'web' } }
  const changed = {
    metadata: { labels: { app: 'web', color: 'blue' } },
    spec: { selector: { app: 'db', color: 'blue' } },
  }
  expect(diffObjects(changed, { metadata, spec: { selector } }, service).operations).toEqual([
    { op: 'replace', path: '/spec/selector/app', value: 'web' },
    { op: 'remove', path: '/spec/selector/color' },
  ])
})

test('replaces lists that do not merge, unless their items only have more fields', () => {
  const list = (items: unknown[]) => ({ spec: { items } })
  const operationsOf = (from: object, to: unknown[]) => diffObjects(from, list(to), {}).operations
  expect(operationsOf(list([{ a: 1, b: 2 }]), [{ a: 1 }])).toEqual([])
  expect(operationsOf(list([{ a: 1 }, { a: 2 }]), [{ a: 1 }])).toEqual([
    { op: 'replace', path: '/spec/items', value: [{ a: 1 }] },
  ])
  expect(operationsOf({ spec: {} }, [])).toEqual([])
})

test('compares quantities only in fields that hold quantities', () => {
  const labelled = (version: string) => ({ metadata: { annotations: { 'a/b': version } } })
  expect(diffObjects(labelled('1.0'), labelled('1'), deployment).operations).toEqual([
    { op: 'replace', path: '/metadata/annotations/a~1b', value: '1' },
  ])
})

test('finds no difference after the patch is applied', () => {
  const leaf = fc.oneof(fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 3 }), fc.boolean())
  const named = fc.uniqueArray(fc.record({ name: fc.constantFrom('a', 'b', 'c'), image: leaf }), {
    selector: ({ name }) => name,
  })
  const part = fc.record(
    {
      replicas: leaf,
      labels: fc.dictionary(fc.constantFrom('x', 'y/z', 'w~v'), leaf, { maxKeys: 3 }),
      template: fc.record({ spec: fc.record({ containers: named }) }, { requiredKeys: [] }),
      args: fc.array(leaf, { maxLength: 3 }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(part, part, (before, after) => {
      const object = { spec: before }
      const to = { spec: after }
      const { operations, isOfFields } = diffObjects(object, to, deployment)
      const patched = applied(object, operations)
      expect(diffObjects(patched, to, deployment).operations).toEqual([])
      const merge = isOfFields ? asMergePatch(operations) : undefined
      if (merge !== undefined) expect(merged(object, merge)).toEqual(patched)
    }),
    { numRuns: 500 },
  )
})

test('makes a merge patch only where it has the same effect', () => {
  const at = (value: unknown) => asMergePatch([{ op: 'add', path: '/a/b~1c', value }])
  expect(at(1)).toEqual({ a: { 'b/c': 1 } })
  expect(at({ d: [{ e: null }] })).toBeUndefined()
  expect(asMergePatch([{ op: 'remove', path: '/a' }])).toEqual({ a: null })
  expect(asMergePatch([{ op: 'add', path: '/a/__proto__', value: 1 }])).toBeUndefined()
})

/** RFC 7386. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target)
  const result: Record<string, unknown> = isObject ? { ...target } : {}
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field]
    else result[field] = merged(result[field], value)
  }
  return result
}

/** A small JSON patch for the operations that occur here. */
function applied(object: object, operations: readonly JsonPatchOperation[]): unknown {
  const root = structuredClone(object) as Record<string, unknown>
  for (const { op, path, value } of operations) {
    const tokens = path.slice(1).split('/')
    const fields = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = fields.pop() ?? ''
    let at: unknown = root
    for (const field of fields) at = (at as Record<string, unknown>)[field]
    const place = at as Record<string, unknown>
    if (op === 'test') expect(place[last]).toEqual(value)
    else if (Array.isArray(place) && last === '-') place.push(structuredClone(value))
    else if (op === 'remove') Reflect.deleteProperty(place, last)
    else place[last] = structuredClone(value)
  }
  return root
}

test('replaces a live item that has the name of a desired one', () => {
  const towards = (have: readonly object[], ports: readonly object[]): unknown => {
    const { operations, needsRevision } = diffObjects(
      { spec: { ports: have } },
      { spec: { ports } },
      service,
    )
    return { operations, needsRevision }
  }
  const named = { name: 'http', port: 80 }
  const foreign = { name: 'extra', port: 1, protocol: 'TCP' }
  // Names are unique.
  expect(towards([foreign, { name: 'http', port: 9090, protocol: 'TCP' }], [named])).toEqual({
    operations: [{ op: 'replace', path: '/spec/ports/1', value: named }],
    needsRevision: true,
  })
  // A single port needs no name.
  expect(towards([{ port: 9090, protocol: 'TCP' }], [{ port: 80 }])).toEqual({
    operations: [{ op: 'replace', path: '/spec/ports/0', value: { port: 80 } }],
    needsRevision: true,
  })
  // Other items are left alone.
  expect(towards([foreign], [named])).toEqual({
    operations: [{ op: 'add', path: '/spec/ports/-', value: named }],
    needsRevision: true,
  })
})

test('adds a container port next to others without names', () => {
  const spec = (ports: readonly object[]): object => ({
    spec: { template: { spec: { containers: [{ name: 'web', ports }] } } },
  })
  const { operations } = diffObjects(
    spec([{ containerPort: 9090, protocol: 'TCP' }]),
    spec([{ containerPort: 80 }]) as never,
    deployment,
  )
  expect(operations.at(-1)).toEqual({
    op: 'add',
    path: '/spec/template/spec/containers/0/ports/-',
    value: { containerPort: 80 },
  })
})
