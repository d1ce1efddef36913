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
  test('has an identity with names derived from the kind', () => {
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
  ])('derives the plural of %s: %s', (kind, plural) => {
    const definition = defineResource({ ...identity, kind, spec: z.object({}) })
    expect(definition.plural).toBe(plural)
  })

  test('has a CRD with columns typed by the schema and the age at the end', () => {
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

  test('adds rules for the whole object at the root of the schema', () => {
    expect(Widget.schema()).toMatchObject({
      type: 'object',
      required: ['spec'],
      'x-kubernetes-validations': [
        { rule: "self.metadata.name != 'forbidden'", message: 'choose another name' },
        { rule: 'self.spec.size < 100' },
      ],
    })
  })

  test('returns a new CRD each time', () => {
    const crd = Widget.crd() as { metadata: { labels?: object } }
    crd.metadata.labels = { changed: 'yes' }
    expect(Widget.crd().metadata).toEqual({ name: 'widgets.example.com' })
  })

  test('has no status subresource without a status, and does not require an optional spec', () => {
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
  test('applies defaults at every level and drops unknown fields', () => {
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

  test('adds apiVersion and kind', () => {
    expect(Widget.parse({ spec: { color: 'blue' } })).toMatchObject({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: {},
    })
  })

  test('drops an explicit null as a server does, and applies a default instead', () => {
    expect(Widget.parse({ spec: { color: 'red', size: null, created: null } }).spec).toEqual({
      color: 'red',
      size: 1,
      storage: '1Gi',
    })
  })

  test('keeps conditions, including those of other controllers', () => {
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

  test('treats an undefined field as absent', () => {
    const spec = { color: 'red', size: undefined, created: undefined }
    expect(Widget.parse({ spec }).spec).toEqual({ color: 'red', size: 1, storage: '1Gi' })
    expect(() => Widget.parse({ spec: undefined })).toThrow('spec: Required value')
  })

  test('returns a result that shares nothing with the definition or the input', () => {
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

  test('refuses metadata of a wrong type, and values that are nested too deeply', () => {
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

  test('reports every problem with its field and the message of a server', () => {
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

  test('names the missing field of an alternative', () => {
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

  test('refuses an object of another kind, and values that are not objects', () => {
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

  test('also enforces what only zod can express', () => {
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
    'a schema that a CRD cannot express': [
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
    'a column with an unknown path': [
      { spec, columns: { Size: '.spec.sise' } },
      'DEFINITION_INVALID',
      /columns\.Size: this resource has no field at \.spec\.sise; instead, .*list, name, size/,
    ],
    'a column of the wrong type': [
      { spec, columns: { Name: { jsonPath: '.spec.name', type: 'integer' } } },
      'DEFINITION_INVALID',
      /columns\.Name: \.spec\.name is text, not a integer/,
    ],
    'a scale path to a field that is not a number': [
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
    'a group that is not a domain': [
      { spec, group: 'example' },
      'DEFINITION_INVALID',
      /spec\.group/,
    ],
    'a plural in capitals': [{ spec, plural: 'Widgets' }, 'DEFINITION_INVALID', /plural/],
    'an invalid version name': [{ spec, version: 'one point two' }, 'DEFINITION_INVALID', /name/],
    'an invalid condition type': [
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
      /versions: objects cannot be stored in v1alpha1 and v1alpha2 at the same time/,
    ],
    'a value that is not a zod schema': [
      { spec: { size: 'number' } },
      'DEFINITION_INVALID',
      /spec: is not a zod schema; instead, write z\.object/,
    ],
    'no spec at all': [{ spec: undefined }, 'DEFINITION_INVALID', /spec: is not a zod schema/],
    'a rule that is only a string': [
      { spec, rules: ['self.spec.size > 1'] },
      'DEFINITION_INVALID',
      /rules\[0\]: is not a rule/,
    ],
    'a condition named twice': [
      { spec, conditions: ['Ready', 'Ready'] },
      'DEFINITION_INVALID',
      /conditions: names a condition twice/,
    ],
    'a spec that is not an object': [
      { spec: z.string() },
      'SCHEMA_NOT_REPRESENTABLE',
      /\.spec: must be an object/,
    ],
    'columns as a list': [
      { spec, columns: [{ name: 'Size', jsonPath: '.spec.size' }] },
      'DEFINITION_INVALID',
      /\n {2}columns: \[\{"name":"Size".* is not valid here; instead, write columns by header: \{ Size:/,
    ],
    'a column that is a number, and one without a path': [
      { spec, columns: { Size: 7, Name: { type: 'string' } } },
      'DEFINITION_INVALID',
      /columns\.Size: 7 is not a column.*\n {2}columns\.Name\.jsonPath: is missing/,
    ],
    'conditions that are one string': [
      { spec, conditions: 'Ready' },
      'DEFINITION_INVALID',
      /conditions: "Ready" is not valid here; instead, write a list of their types/,
    ],
    'short names that are one string': [
      { spec, shortNames: 'wg' },
      'DEFINITION_INVALID',
      /shortNames: "wg" is not valid here; instead, write a list of texts/,
    ],
    'a scale without its paths': [
      { spec, scale: true },
      'DEFINITION_INVALID',
      /scale: true is not valid here; instead, write \{ specReplicasPath, statusReplicasPath \}/,
    ],
    'half a scale': [
      { spec, scale: { specReplicasPath: '.spec.size' } },
      'DEFINITION_INVALID',
      /scale\.statusReplicasPath: is missing/,
    ],
    'paths that are not strings': [
      { spec, selectableFields: [1] },
      'DEFINITION_INVALID',
      /selectableFields: \[1\] is not valid here/,
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
    'an invalid scope': [
      { spec, scope: 'cluster' },
      'DEFINITION_INVALID',
      /scope: "cluster" is not valid here; instead, write 'Namespaced' or 'Cluster'/,
    ],
    'an option that does not exist': [
      { spec, shortName: 'wg' },
      'DEFINITION_INVALID',
      /shortName: there is no such option; instead, use one of .*shortNames/,
    ],
    'a problem that only the CRD check finds, with its path in the definition': [
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

test('refuses a definition without options', () => {
  for (const options of [undefined, null, 'Widget', []]) {
    expect(() => defineResource(options as never)).toThrow(/options: .* is not an object/)
  }
})

test('defines the same CRD when an operator is imported twice', () => {
  const define = (): unknown =>
    defineResource({ ...identity, spec: z.object({ every: duration().default('1h') }) }).crd()
  expect(define()).toEqual(define())
})
