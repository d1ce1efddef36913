import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { isSetpointError } from '../errors/index.ts'
import { defineResource, duration, listMap, quantity, rule } from './index.ts'

const identity = { group: 'example.com', version: 'v1', kind: 'Widget' } as const

const Widget = defineResource({
  ...identity,
  shortNames: ['wd'],
  categories: ['all'],
  spec: z.object({
    size: z.int32().min(0).default(1),
    color: z.enum(['red', 'blue']),
    created: z.iso.datetime().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    storage: quantity().default('1Gi'),
    ports: z
      .array(z.object({ name: z.string(), port: z.int32().default(80) }))
      .check(listMap('name'))
      .optional(),
  }),
  status: z.object({ replicas: z.int32().default(0), selector: z.string().optional() }),
  conditions: ['Ready'],
  columns: {
    Size: '.spec.size',
    Created: '.spec.created',
    Storage: { jsonPath: '.spec.storage', priority: 1, description: 'how much' },
    Team: '.spec.labels.team',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
  },
  scale: {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
  selectableFields: ['.spec.color'],
  rules: [
    rule("self.metadata.name != 'forbidden'", { message: 'choose another name' }),
    { rule: 'self.spec.size < 100' },
  ],
})

describe('a definition', () => {
  test('knows its identity, with names derived from the kind', () => {
    expect(Widget).toMatchObject({
      group: 'example.com',
      version: 'v1',
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      plural: 'widgets',
      singular: 'widget',
      scope: 'Namespaced',
      subresources: ['status', 'scale'],
      conditions: ['Ready'],
      versions: ['v1'],
    })
  })

  test.each([
    ['Policy', 'policies'],
    ['Gateway', 'gateways'],
    ['Ingress', 'ingresses'],
    ['Mailbox', 'mailboxes'],
    ['Patch', 'patches'],
    ['Memcached', 'memcacheds'],
  ])('of kind %s is found at %s', (kind, plural) => {
    const definition = defineResource({ ...identity, kind, spec: z.object({}) })
    expect(definition.plural).toBe(plural)
  })

  test('gives a CRD with columns typed by the schema and the age at the end', () => {
    const crd = Widget.crd()
    expect(crd.metadata.name).toBe('widgets.example.com')
    expect(crd.spec.names).toEqual({
      kind: 'Widget',
      listKind: 'WidgetList',
      plural: 'widgets',
      singular: 'widget',
      shortNames: ['wd'],
      categories: ['all'],
    })
    expect(crd.spec.versions[0]).toMatchObject({
      name: 'v1',
      served: true,
      storage: true,
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.size',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      selectableFields: [{ jsonPath: '.spec.color' }],
      additionalPrinterColumns: [
        { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
        { name: 'Created', type: 'date', jsonPath: '.spec.created' },
        { name: 'Storage', type: 'string', jsonPath: '.spec.storage', priority: 1 },
        { name: 'Team', type: 'string' },
        { name: 'Ready', type: 'string' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    })
  })

  test('puts rules over the whole object at the root of the schema', () => {
    expect(Widget.schema()).toMatchObject({
      type: 'object',
      required: ['spec'],
      'x-kubernetes-validations': [
        { rule: "self.metadata.name != 'forbidden'", message: 'choose another name' },
        { rule: 'self.spec.size < 100' },
      ],
    })
  })

  test('gives a new CRD each time, so that changing one does not change the next', () => {
    const crd = Widget.crd() as { metadata: { labels?: object } }
    crd.metadata.labels = { changed: 'yes' }
    expect(Widget.crd().metadata).toEqual({ name: 'widgets.example.com' })
  })

  test('without a status has no status subresource and does not demand an optional spec', () => {
    const Note = defineResource({
      ...identity,
      kind: 'Note',
      scope: 'Cluster',
      spec: z.object({ text: z.string().optional() }).optional(),
    })
    const [version] = Note.crd().spec.versions
    expect(version?.subresources).toBeUndefined()
    expect(version?.schema?.openAPIV3Schema?.required).toBeUndefined()
    expect(Note.parse({ metadata: { name: 'a' } })).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Note',
      metadata: { name: 'a' },
      spec: undefined,
    })
  })
})

describe('parse', () => {
  test('applies defaults at every level and drops what the schema does not know', () => {
    const parsed = Widget.parse({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'a', labels: { x: 'y' } },
      spec: { color: 'red', unknown: 1, ports: [{ name: 'http' }] },
    })
    expect(parsed).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'a', labels: { x: 'y' } },
      spec: { color: 'red', size: 1, storage: '1Gi', ports: [{ name: 'http', port: 80 }] },
    })
  })

  test('fills in the identity that the definition knows', () => {
    expect(Widget.parse({ spec: { color: 'blue' } })).toMatchObject({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: {},
    })
  })

  test('treats an explicit null as a server does: it is dropped, and a default takes its place', () => {
    expect(Widget.parse({ spec: { color: 'red', size: null, created: null } }).spec).toEqual({
      color: 'red',
      size: 1,
      storage: '1Gi',
    })
  })

  test('keeps conditions, also those of other controllers', () => {
    const condition = {
      type: 'Foreign',
      status: 'True',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'Because',
      message: '',
    }
    const parsed = Widget.parse({ spec: { color: 'red' }, status: { conditions: [condition] } })
    expect(parsed.status).toEqual({ replicas: 0, conditions: [condition] })
  })

  test('takes a field that is undefined for one that is absent', () => {
    const spec = { color: 'red', size: undefined, created: undefined }
    expect(Widget.parse({ spec }).spec).toEqual({ color: 'red', size: 1, storage: '1Gi' })
    expect(() => Widget.parse({ spec: undefined })).toThrow('spec: Required value')
  })

  test('gives a result that shares nothing with the definition or the input', () => {
    const Shared = defineResource({
      ...identity,
      kind: 'Shared',
      spec: z.object({ any: z.any().default({ list: [] }), given: z.any().optional() }),
    })
    const given = { a: 1 }
    const first = Shared.parse({ spec: { given } }).spec as {
      any: { list: number[] }
      given: object
    }
    first.any.list.push(1)
    Object.assign(first.given, { b: 2 })
    expect(given).toEqual({ a: 1 })
    expect(Shared.parse({ spec: {} }).spec).toEqual({ any: { list: [] } })
    expect(() => Object.assign(Shared.schema(), { type: 'array' })).toThrow(TypeError)
  })

  test('refuses metadata of the wrong shape, and what is nested beyond reason', () => {
    const metadata = { name: 5, labels: { a: 1 }, annotations: [] }
    const result = Widget.safeParse({ metadata, spec: { color: 'red' } })
    expect(result.success ? [] : result.issues.map(({ field }) => field)).toEqual([
      'metadata.name',
      'metadata.labels.a',
      'metadata.annotations',
    ])
    const cyclic: Record<string, unknown> = {}
    cyclic['spec'] = cyclic
    expect(() => Widget.parse(cyclic)).toThrow('is nested too deeply')
  })

  test('does not change its input', () => {
    const input = Object.freeze({ spec: Object.freeze({ color: 'red' }) })
    expect(() => Widget.parse(input)).not.toThrow()
  })

  test('reports every problem with its field, in the words of a server', () => {
    const result = Widget.safeParse({
      metadata: { name: 'bad' },
      spec: { color: 'green', size: -1, ports: [{ name: 'a' }, { name: 'a' }] },
      status: { conditions: [{ type: 'Ready' }] },
    })
    expect(result).toMatchObject({ success: false, error: { code: 'OBJECT_INVALID' } })
    const issues = result.success ? [] : result.issues
    expect(issues.map(({ field }) => field)).toEqual(
      expect.arrayContaining([
        'spec.color',
        'spec.size',
        'spec.ports[1]',
        'status.conditions[0].status',
      ]),
    )
    expect(issues.find(({ field }) => field === 'spec.color')?.message).toBe(
      'Unsupported value: "green": supported values: "red", "blue"',
    )
    expect(() => Widget.parse({ spec: {} })).toThrow(
      /^Widget is invalid:\n {2}spec\.color: Required/,
    )
  })

  test('says which field of which alternative is missing', () => {
    const Backup = defineResource({
      ...identity,
      kind: 'Backup',
      spec: z.object({
        to: z.discriminatedUnion('type', [
          z.object({ type: z.literal('s3'), bucket: z.string() }),
          z.object({ type: z.literal('volume'), claim: z.string() }),
        ]),
      }),
    })
    const fields = (to: object): string[] => {
      const result = Backup.safeParse({ spec: { to } })
      return result.success ? [] : result.issues.map(({ field }) => field)
    }
    expect(fields({ type: 'volume' })).toEqual(['spec.to.claim'])
    expect(fields({ type: 'tape' })).toEqual(['spec.to.type'])
    expect(fields({ type: 's3', bucket: 'a' })).toEqual([])
  })

  test('refuses an object of another kind, and things that are no objects', () => {
    expect(() => Widget.parse({ kind: 'Gadget', spec: { color: 'red' } })).toThrow(
      'kind: must be Widget, not "Gadget"',
    )
    expect(() => Widget.parse({ metadata: 'name', spec: { color: 'red' } })).toThrow(
      'metadata: must be an object',
    )
    for (const input of [undefined, null, 'text', [], 7]) {
      expect(() => Widget.parse(input)).toThrow('Widget is invalid:\n  must be an object')
    }
  })

  test('also enforces what only zod can say', () => {
    const Strict = defineResource({
      ...identity,
      kind: 'Strict',
      spec: z.object({ inner: z.array(z.strictObject({ a: z.string() })) }),
    })
    const result = Strict.safeParse({ spec: { inner: [{ a: 'x', b: 1 }] } })
    expect(result.success ? [] : result.issues).toEqual([
      { field: 'spec.inner[0]', message: 'Unrecognized key: "b"' },
    ])
  })
})

describe('a wrong definition is refused:', () => {
  const spec = z.object({
    size: z.int32().optional(),
    name: z.string().optional(),
    list: z.array(z.string()).optional(),
  })
  const cases: Record<string, readonly [object, code: string, words: RegExp]> = {
    'what a CRD cannot say': [
      { spec: z.object({ at: z.date() }) },
      'SCHEMA_NOT_REPRESENTABLE',
      /the definition of Widget\.example\.com:\n {2}\.spec\.at: .*instead, write z\.iso\.datetime/,
    ],
    'the same in another version': [
      {
        spec,
        versions: { v1beta1: { spec: z.object({ at: z.date() }), up: () => {}, down: () => {} } },
      },
      'SCHEMA_NOT_REPRESENTABLE',
      /v1beta1 \.spec\.at/,
    ],
    'a column that leads nowhere': [
      { spec, columns: { Size: '.spec.sise' } },
      'DEFINITION_INVALID',
      /columns\.Size: no field of this resource is at \.spec\.sise; instead, .*list, name, size/,
    ],
    'a column of the wrong type': [
      { spec, columns: { Name: { jsonPath: '.spec.name', type: 'integer' } } },
      'DEFINITION_INVALID',
      /columns\.Name: \.spec\.name holds text, not a integer/,
    ],
    'a scale path to something that is no number': [
      {
        spec,
        status: z.object({ replicas: z.int32() }),
        scale: { specReplicasPath: '.spec.name', statusReplicasPath: '.status.replicas' },
      },
      'DEFINITION_INVALID',
      /scale\.specReplicasPath: the field \.spec\.name is not of type integer/,
    ],
    'a selectable field that is a list': [
      { spec, selectableFields: ['.spec.list'] },
      'DEFINITION_INVALID',
      /selectableFields: the field \.spec\.list is not of type string/,
    ],
    'a group that is no domain': [{ spec, group: 'example' }, 'DEFINITION_INVALID', /spec\.group/],
    'a plural in capitals': [{ spec, plural: 'Widgets' }, 'DEFINITION_INVALID', /plural/],
    'a version name that is none': [
      { spec, version: 'one point two' },
      'DEFINITION_INVALID',
      /name/,
    ],
    'a condition type that is none': [
      { spec, conditions: ['is ready!'] },
      'DEFINITION_INVALID',
      /"is ready!" is not a condition type/,
    ],
    'conditions defined twice': [
      { spec, status: z.object({ conditions: z.array(z.string()) }), conditions: ['Ready'] },
      'SCHEMA_NOT_REPRESENTABLE',
      /both define it/,
    ],
    'its own version listed again': [
      { spec, versions: { v1: { spec, up: () => {}, down: () => {} } } },
      'DEFINITION_INVALID',
      /versions\.v1: this is the version the definition itself describes/,
    ],
    'two storage versions': [
      {
        spec,
        versions: {
          v1alpha1: { spec, storage: true, up: () => {}, down: () => {} },
          v1alpha2: { spec, storage: true, up: () => {}, down: () => {} },
        },
      },
      'DEFINITION_INVALID',
      /versions: objects cannot be stored in v1alpha1 and v1alpha2 at once/,
    ],
    'something that is no zod schema': [
      { spec: { size: 'number' } },
      'DEFINITION_INVALID',
      /spec: is not a zod schema; instead, write z\.object/,
    ],
    'no spec at all': [{ spec: undefined }, 'DEFINITION_INVALID', /spec: is not a zod schema/],
    'a rule that is only a text': [
      { spec, rules: ['self.spec.size > 1'] },
      'DEFINITION_INVALID',
      /rules\[0\]: is not a rule/,
    ],
    'a condition named twice': [
      { spec, conditions: ['Ready', 'Ready'] },
      'DEFINITION_INVALID',
      /conditions: names a condition twice/,
    ],
    'a spec that is no object': [
      { spec: z.string() },
      'SCHEMA_NOT_REPRESENTABLE',
      /\.spec: must be an object/,
    ],
    'columns as a list': [
      { spec, columns: [{ name: 'Size', jsonPath: '.spec.size' }] },
      'DEFINITION_INVALID',
      /\n {2}columns: \[\{"name":"Size".* cannot be this; instead, write columns by header: \{ Size:/,
    ],
    'a column that is a number, and one without a path': [
      { spec, columns: { Size: 7, Name: { type: 'string' } } },
      'DEFINITION_INVALID',
      /columns\.Size: 7 is not a column.*\n {2}columns\.Name\.jsonPath: is missing/,
    ],
    'conditions that are one text': [
      { spec, conditions: 'Ready' },
      'DEFINITION_INVALID',
      /conditions: "Ready" cannot be this; instead, write a list of their types/,
    ],
    'short names that are one text': [
      { spec, shortNames: 'wg' },
      'DEFINITION_INVALID',
      /shortNames: "wg" cannot be this; instead, write a list of texts/,
    ],
    'a scale without its paths': [
      { spec, scale: true },
      'DEFINITION_INVALID',
      /scale: true cannot be this; instead, write \{ specReplicasPath, statusReplicasPath \}/,
    ],
    'half a scale': [
      { spec, scale: { specReplicasPath: '.spec.size' } },
      'DEFINITION_INVALID',
      /scale\.statusReplicasPath: is missing/,
    ],
    'paths that are no texts': [
      { spec, selectableFields: [1] },
      'DEFINITION_INVALID',
      /selectableFields: \[1\] cannot be this/,
    ],
    'versions as a list': [
      { spec, versions: [{ name: 'v1beta1', spec }] },
      'DEFINITION_INVALID',
      /versions: \[.*instead, write versions by name/,
    ],
    'a version without its conversions': [
      { spec, versions: { v1beta1: { spec } } },
      'DEFINITION_INVALID',
      /versions\.v1beta1\.up: is missing.*\n {2}versions\.v1beta1\.down: is missing/,
    ],
    'no kind': [
      { spec, kind: undefined },
      'DEFINITION_INVALID',
      /a resource:\n {2}kind: is missing/,
    ],
    'a scope that is none': [
      { spec, scope: 'cluster' },
      'DEFINITION_INVALID',
      /scope: "cluster" cannot be this; instead, write 'Namespaced' or 'Cluster'/,
    ],
    'an option that does not exist': [
      { spec, shortName: 'wg' },
      'DEFINITION_INVALID',
      /shortName: there is no such option; instead, use one of .*shortNames/,
    ],
    'what only the CRD check finds, at its place in the definition': [
      { spec: z.object({ a: z.array(z.string().check(rule('true', { fieldPath: '.x' }))) }) },
      'DEFINITION_INVALID',
      /\n {2}\.spec\.a\[\*\]\.x-kubernetes-validations\[0\]\.fieldPath/,
    ],
  }

  test.each(Object.entries(cases))('%s', (_name, [options, code, words]) => {
    const define = (): unknown => defineResource({ ...identity, ...options } as never)
    expect(define).toThrow(words)
    try {
      define()
    } catch (error) {
      expect(isSetpointError(error) && error.code).toBe(code)
    }
  })
})

test('a definition of nothing is refused with a word', () => {
  for (const options of [undefined, null, 'Widget', []]) {
    expect(() => defineResource(options as never)).toThrow(/options: .* is not an object/)
  }
})

test('an operator imported twice defines the same CRD: a definition has no clock and no registry', () => {
  const define = (): unknown =>
    defineResource({ ...identity, spec: z.object({ every: duration().default('1h') }) }).crd()
  expect(define()).toEqual(define())
})
