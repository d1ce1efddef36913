import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import type * as core from 'zod/v4/core'
import { checkStructuralSchema } from '../../schema/index.ts'
import {
  atomic,
  immutable,
  listMap,
  listSet,
  maxProperties,
  minProperties,
  rule,
} from '../kubernetes-checks.ts'
import {
  duration,
  embeddedResource,
  intOrString,
  preserveUnknownFields,
  quantity,
} from '../kubernetes-types.ts'
import { zodToSchema } from './zod-to-schema.ts'

const immutableRule = { rule: 'self == oldSelf', message: 'the value is immutable' }

describe('converts a zod schema to a structural schema:', () => {
  const cases: Record<string, readonly [core.$ZodType, object]> = {
    'a text with its limits': [
      z.string().min(1).min(2).max(9).max(8),
      { type: 'string', minLength: 2, maxLength: 8 },
    ],
    'an exact length': [z.string().length(3), { type: 'string', minLength: 3, maxLength: 3 }],
    'a pattern with flags and code points': [
      z.string().regex(/^a\/\u0041/i),
      { type: 'string', pattern: '(?i)^a/\\x{0041}' },
    ],
    'several patterns': [
      z.string().startsWith('a').endsWith('b'),
      { type: 'string', pattern: '^a.*', allOf: [{ pattern: '.*b$' }] },
    ],
    'a point in time': [
      z.iso.datetime(),
      {
        type: 'string',
        format: 'date-time',
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$',
      },
    ],
    'a URL, by the format of the server': [z.url(), { type: 'string', format: 'uri' }],
    'a host name, whose zod pattern RE2 cannot read': [
      z.hostname(),
      { type: 'string', format: 'hostname' },
    ],
    'a template literal': [
      z.templateLiteral(['v', z.int()]),
      { type: 'string', pattern: '^v-?\\d+$' },
    ],
    int32: [z.int32(), { type: 'integer', format: 'int32' }],
    'int without the bounds of a double': [z.int(), { type: 'integer', format: 'int64' }],
    'a number made whole': [z.number().int(), { type: 'integer', format: 'int64' }],
    'uint32 with its range': [
      z.uint32(),
      { type: 'integer', format: 'int64', minimum: 0, maximum: 4294967295 },
    ],
    'a number with exclusive bounds': [
      z.number().gt(1).min(1).lt(9).max(20),
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    ],
    multiples: [
      z.number().multipleOf(2).multipleOf(3),
      { type: 'number', multipleOf: 2, allOf: [{ multipleOf: 3 }] },
    ],
    'an enum': [z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    'a literal number': [z.literal(3), { type: 'integer', enum: [3] }],
    'literals of both kinds': [
      z.literal(['a', 1]),
      { 'x-kubernetes-int-or-string': true, enum: ['a', 1] },
    ],
    'an object with optional and defaulted fields': [
      z.object({ a: z.string(), b: z.string().optional(), c: z.boolean().default(true) }),
      {
        type: 'object',
        properties: {
          a: { type: 'string' },
          b: { type: 'string' },
          c: { type: 'boolean', default: true },
        },
        required: ['a'],
      },
    ],
    'a strict object, whose unknown fields a server prunes': [
      z.strictObject({ a: z.string() }),
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    'a loose object': [
      z.looseObject({ a: z.string() }),
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        'x-kubernetes-preserve-unknown-fields': true,
      },
    ],
    'nested defaults with a parent default': [
      z.object({ a: z.int32().default(1) }).prefault({}),
      {
        type: 'object',
        properties: { a: { type: 'integer', format: 'int32', default: 1 } },
        default: {},
      },
    ],
    'a record': [
      z.record(z.string(), z.boolean()),
      { type: 'object', additionalProperties: { type: 'boolean' } },
    ],
    'a record with an enum of keys': [
      z.record(z.enum(['a', 'b']), z.boolean()),
      {
        type: 'object',
        properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
        required: ['a', 'b'],
      },
    ],
    'a record with a union of keys': [
      z.record(z.union([z.literal('a'), z.enum(['b'])]), z.boolean()),
      {
        type: 'object',
        properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
        required: ['a', 'b'],
      },
    ],
    'a partial record': [
      z.partialRecord(z.enum(['a']), z.boolean()),
      { type: 'object', properties: { a: { type: 'boolean' } } },
    ],
    'a list': [
      z.array(z.string()).min(1).max(3),
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
    ],
    'null by nullable or by a union': [
      z.object({ a: z.string().nullable(), b: z.union([z.int32(), z.null()]) }),
      {
        type: 'object',
        properties: {
          a: { type: 'string', nullable: true },
          b: { type: 'integer', format: 'int32', nullable: true },
        },
        required: ['a', 'b'],
      },
    ],
    'a whole number or a text': [
      z.union([z.int().min(1), z.string().regex(/%$/)]),
      { 'x-kubernetes-int-or-string': true, minimum: 1, pattern: '%$' },
    ],
    'a whole number or one fixed text': [
      z.union([z.literal('a.b'), z.int()]),
      { 'x-kubernetes-int-or-string': true, allOf: [{ pattern: '^(a\\.b)$' }] },
    ],
    'a union of literals': [
      z.union([z.literal('a'), z.enum(['b', 'a'])]),
      { type: 'string', enum: ['a', 'b'] },
    ],
    'a union of texts': [
      z.union([z.string().max(2), z.string().startsWith('x')]),
      { type: 'string', anyOf: [{ maxLength: 2 }, { pattern: '^x.*' }] },
    ],
    'exactly one of two texts': [
      z.xor([z.string().max(2), z.string().startsWith('x')]),
      { type: 'string', oneOf: [{ maxLength: 2 }, { pattern: '^x.*' }] },
    ],
    'an intersection of objects': [
      z.intersection(z.object({ a: z.string() }), z.object({ b: z.string().optional() })),
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        required: ['a'],
      },
    ],
    anything: [z.unknown(), { 'x-kubernetes-preserve-unknown-fields': true, nullable: true }],
    'wrappers without meaning for a server': [
      z.lazy(() => z.string().brand('Name').readonly()),
      { type: 'string' },
    ],
    'a default that was made required again': [
      z.object({ a: z.string().default('x').nonoptional() }),
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    'documentation, the outer before the inner': [
      z
        .string()
        .describe('inner')
        .meta({ title: 'Name', example: 'web' })
        .optional()
        .describe('outer'),
      { type: 'string', title: 'Name', description: 'outer', example: 'web' },
    ],
    'a schema with an id, inlined': [
      z.object({ a: z.string().meta({ id: 'Shared' }) }),
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    'schemas of zod/mini': [
      mini.object({
        a: mini.optional(mini.string().check(mini.minLength(3), immutable())),
        b: mini._default(mini.int32().check(mini.gte(1)), 2),
      }),
      {
        type: 'object',
        properties: {
          a: { type: 'string', minLength: 3, 'x-kubernetes-validations': [immutableRule] },
          b: { type: 'integer', format: 'int32', minimum: 1, default: 2 },
        },
        'x-kubernetes-validations': [
          {
            rule: 'has(self.a) == has(oldSelf.a)',
            message: 'a is immutable: it can neither be added nor removed',
          },
        ],
      },
    ],
    'a list that is a map': [
      z
        .array(z.object({ name: z.string(), size: z.int32().check(immutable()) }))
        .check(listMap('name')),
      {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            size: {
              type: 'integer',
              format: 'int32',
              'x-kubernetes-validations': [immutableRule],
            },
          },
          required: ['name', 'size'],
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
    ],
    'a map with a number of entries': [
      z.record(z.string(), z.string()).check(minProperties(1), maxProperties(9)),
      {
        type: 'object',
        additionalProperties: { type: 'string' },
        minProperties: 1,
        maxProperties: 9,
      },
    ],
    'infinite bounds, which have no effect': [
      z.number().min(-Infinity).max(Infinity),
      { type: 'number' },
    ],
    'base64, exactly': [
      z.base64(),
      {
        type: 'string',
        pattern: '^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$',
      },
    ],
    'a list that is a set': [
      z.array(z.string()).check(listSet()),
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ],
    'an atomic list and an atomic object': [
      z.object({ a: z.array(z.string()).check(atomic()) }).check(atomic()),
      {
        type: 'object',
        properties: {
          a: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
        },
        required: ['a'],
        'x-kubernetes-map-type': 'atomic',
      },
    ],
    'a rule': [
      z
        .object({ a: z.int() })
        .check(rule('self.a < 5', { message: 'a is too big', fieldPath: '.a' })),
      {
        type: 'object',
        properties: { a: { type: 'integer', format: 'int64' } },
        required: ['a'],
        'x-kubernetes-validations': [
          { rule: 'self.a < 5', message: 'a is too big', fieldPath: '.a' },
        ],
      },
    ],
    'an int or string': [intOrString(), { 'x-kubernetes-int-or-string': true }],
    'free-form settings': [
      preserveUnknownFields(),
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ],
    'an embedded object': [
      embeddedResource(),
      {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-embedded-resource': true,
      },
    ],
  }

  test.each(Object.entries(cases))('%s', (_name, [schema, expected]) => {
    const { schema: converted, problems } = zodToSchema(z.object({ x: z.unknown(), y: schema }), '')
    expect(problems).toEqual([])
    expect(converted.properties?.['y']).toEqual(expected)
    expect(checkStructuralSchema(converted, 'schema')).toEqual([])
  })
})

test('accepts the quantities and durations that Kubernetes accepts', () => {
  const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success
  for (const value of ['500m', '1Gi', '1.5', '1e3', '-2', '.5', 4]) {
    expect(accepts(quantity(), value), String(value)).toBe(true)
  }
  for (const value of ['1 Gi', 'Gi', '1gi', 1.5, '']) {
    expect(accepts(quantity(), value), String(value)).toBe(false)
  }
  for (const value of ['0', '90s', '1h30m', '1.5h', '250ms', '.5s']) {
    expect(accepts(duration(), value), value).toBe(true)
  }
  for (const value of ['', '90', '1d', 'PT1H', '1h 30m', '-5s']) {
    expect(accepts(duration(), value), value).toBe(false)
  }
})

test('keeps all fields of a discriminated union and lists per branch the required and forbidden ones', () => {
  const union = z.discriminatedUnion('type', [
    z
      .object({ type: z.literal('s3'), bucket: z.string(), size: z.int32().min(1) })
      .check(rule("self.bucket != ''")),
    z.object({ type: z.enum(['pvc', 'hostPath']), claim: z.string().optional(), size: z.int32() }),
  ])
  expect(zodToSchema(union, '.spec')).toEqual({
    isOptional: false,
    problems: [],
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['s3', 'pvc', 'hostPath'] },
        bucket: { type: 'string' },
        size: { type: 'integer', format: 'int32' },
        claim: { type: 'string' },
      },
      required: ['type'],
      oneOf: [
        {
          properties: { type: { enum: ['s3'] }, size: { minimum: 1 } },
          required: ['type', 'bucket', 'size'],
          not: { anyOf: [{ required: ['claim'] }] },
        },
        {
          properties: { type: { enum: ['pvc', 'hostPath'] } },
          required: ['type', 'size'],
          not: { anyOf: [{ required: ['bucket'] }] },
        },
      ],
      'x-kubernetes-validations': [{ rule: '!(self.type == "s3") || (self.bucket != \'\')' }],
    },
  })
})

describe('refuses what a CRD cannot express, with the path and an alternative:', () => {
  const Tree: z.ZodType = z.lazy(() => z.object({ children: z.array(Tree) }))
  let calls = 0
  const cases: Record<string, readonly [core.$ZodType, path: string, words: RegExp]> = {
    dates: [z.date(), '.spec.x', /JSON has no dates.*z\.iso\.datetime/],
    bigints: [z.bigint(), '.spec.x', /z\.int\(\)/],
    tuples: [z.tuple([z.string()]), '.spec.x', /one type.*named fields/],
    'Map and Set': [z.object({ s: z.set(z.string()) }), '.spec.x.s', /listSet/],
    transforms: [z.string().transform((x) => x), '.spec.x', /transforms nothing/],
    preprocessing: [z.preprocess((x) => x, z.string()), '.spec.x', /transforms nothing/],
    coercion: [z.coerce.number(), '.spec.x', /does not coerce/],
    'a JavaScript check': [z.string().refine(() => true), '.spec.x', /cannot run.*rule\(/],
    'a JavaScript check behind optional': [
      z
        .string()
        .optional()
        .refine(() => true),
      '.spec.x',
      /cannot run.*rule\(/,
    ],
    'a JavaScript check on an object': [
      z.object({}).superRefine(() => undefined),
      '.spec.x',
      /cannot run/,
    ],
    trimming: [z.string().trim(), '.spec.x', /does not trim/],
    recursion: [Tree, '.spec.x.children[*]', /cannot be recursive/],
    'a union without a common type': [
      z.union([z.string(), z.boolean()]),
      '.spec.x',
      /discriminatedUnion/,
    ],
    'a union of objects without a discriminator': [
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      '.spec.x',
      /without a discriminator/,
    ],
    'a format where a number is allowed': [z.union([z.int(), z.url()]), '.spec.x', /format "uri"/],
    'a rule on one member': [
      z.union([z.string().check(rule('self != ""')), z.string().max(2)]),
      '.spec.x',
      /on the whole union/,
    ],
    'a typed catchall': [
      z.object({ a: z.string() }).catchall(z.string()),
      '.spec.x',
      /named fields and a schema for other fields/,
    ],
    'constrained keys': [z.record(z.string().min(2), z.string()), '.spec.x', /self\.all\(key/],
    'number keys': [z.record(z.number(), z.string()), '.spec.x', /keys of a map/],
    'a pattern beyond RE2': [z.string().regex(/(?=a)b/), '.spec.x', /RE2.*lookahead/],
    'an ISO duration': [z.iso.duration(), '.spec.x', /duration\(\) from 'setpoint'/],
    'a format without a pattern': [z.jwt(), '.spec.x', /does not know the format "jwt"/],
    'an invalid default': [z.string().min(3).default('a'), '.spec.x', /does not fit/],
    'a default that changes': [z.int().default(() => calls++), '.spec.x', /differs each time/],
    'a default that omits nested defaults': [
      z.object({ a: z.string().default('x').optional() }).default({}),
      '.spec.x',
      /prefault/,
    ],
    'a default of an entry': [z.array(z.string().default('x')), '.spec.x[*]', /never absent/],
    'a nullable enum': [z.enum(['a']).nullable(), '.spec.x', /refuses null/],
    'a default in one branch': [
      z.discriminatedUnion('t', [
        z.object({ t: z.literal('a'), v: z.string().default('x') }),
        z.object({ t: z.literal('b') }),
      ]),
      '.spec.x.v',
      /set in the others/,
    ],
    'branches that disagree about a field': [
      z.discriminatedUnion('t', [
        z.object({ t: z.literal('a'), v: z.string() }),
        z.object({ t: z.literal('b'), v: z.int32() }),
      ]),
      '.spec.x.v',
      /describe this field differently/,
    ],
    'an intersection that disagrees': [
      z.intersection(z.object({ a: z.string() }), z.object({ a: z.string().min(2) })),
      '.spec.x',
      /the field "a" differently/,
    ],
    'an immutable field in a list without keys': [
      z.array(z.object({ a: z.string().check(immutable()) })),
      '.spec.x[*].a',
      /listMap/,
    ],
    'a list map by an optional field': [
      z.array(z.object({ a: z.string().optional() })).check(listMap('a') as never),
      '.spec.x',
      /the key "a" of a list map must be a scalar field of every entry/,
    ],
    'a set of objects': [z.array(z.object({})).check(listSet() as never), '.spec.x', /scalars/],
    'a default of null': [
      z.string().nullable().default(null),
      '.spec.x',
      /drops a default of null/,
    ],
    'a length that is not a count': [z.string().min(1.5), '.spec.x', /1\.5 is not a whole number/],
    'NaN as bound': [z.number().min(NaN), '.spec.x', /NaN is not a bound/],
    'a URL of one protocol': [z.url({ protocol: /^https$/ }), '.spec.x', /neither its protocol/],
    'a rule for z.any()': [z.any().check(rule('self == 1')), '.spec.x', /CEL needs the type/],
    'optionalOldSelf without oldSelf': [
      z.string().check(rule('self != ""', { optionalOldSelf: true })),
      '.spec.x',
      /does not use oldSelf/,
    ],
    'an atomic text': [z.string().check(atomic() as never), '.spec.x', /lists and objects/],
    'an optional discriminator': [
      z.discriminatedUnion('t', [
        z.object({ t: z.literal('a').optional() }),
        z.object({ t: z.literal('b') }),
      ]),
      '.spec.x',
      /must be required.*remove \.optional/,
    ],
    'branches of which one is loose': [
      z.discriminatedUnion('t', [
        z.looseObject({ t: z.literal('a') }),
        z.object({ t: z.literal('b') }),
      ]),
      '.spec.x',
      /all branches z\.looseObject/,
    ],
    'an intersection of unions': [
      z.intersection(
        z.discriminatedUnion('t', [
          z.object({ t: z.literal('a') }),
          z.object({ t: z.literal('b') }),
        ]),
        z.object({ x: z.string() }),
      ),
      '.spec.x',
      /only plain objects/,
    ],
    'a fraction as lower bound': [
      z.number().min(0.5),
      '.spec.x',
      /cuts the fraction off the bound 0\.5/,
    ],
    'a fraction as upper bound': [
      z.number().lt(1.5),
      '.spec.x',
      /cuts the fraction off the bound 1\.5/,
    ],
    'a fraction as divisor': [
      z.number().multipleOf(0.5),
      '.spec.x',
      /multiples of 0\.5.*smaller unit/,
    ],
    'a literal without a common type': [z.literal(['a', true]), '.spec.x', /no common type/],
  }

  test.each(Object.entries(cases))('%s', (_name, [schema, path, words]) => {
    const { problems } = zodToSchema(z.object({ x: schema }), '.spec')
    expect(problems.map((problem) => problem.path)).toEqual([path])
    expect(problems.map(({ reason, instead }) => `${reason} ${instead ?? ''}`).join()).toMatch(
      words,
    )
  })
})

test('allows different documentation of a field in branches', () => {
  const union = z.discriminatedUnion('t', [
    z.object({ t: z.literal('a'), v: z.string().describe('of a') }),
    z.object({ t: z.literal('b'), v: z.string().describe('of b') }),
  ])
  const { schema, problems } = zodToSchema(union, '.spec')
  expect(problems).toEqual([])
  expect(schema.properties?.['v']).toEqual({ type: 'string', description: 'of a' })
})

test('finds all problems of a schema together', () => {
  const schema = z.object({ a: z.date(), b: z.array(z.tuple([z.int32()])), c: z.string() })
  expect(zodToSchema(schema, '.spec').problems.map(({ path }) => path)).toEqual([
    '.spec.a',
    '.spec.b[*]',
  ])
})
