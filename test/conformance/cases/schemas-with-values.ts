import type { JsonObject } from 'setpoint/schema'

/** Schemas of `spec.f`, each with the values that one case tries. */
export const schemasWithValues: readonly (readonly [
  name: string,
  schema: JsonObject,
  ...values: Exclude<JsonObject[string], undefined>[],
])[] = [
  [
    'a text',
    { type: 'string', minLength: 2, maxLength: 3, pattern: '^a' },
    'ab',
    'a',
    'bcde',
    1,
    null,
  ],
  ['an integer', { type: 'integer', minimum: 1, maximum: 5 }, 3, 0, 6, 1.5, '3'],
  [
    'an exclusive number',
    { type: 'number', minimum: 1, exclusiveMinimum: true, multipleOf: 0.5 },
    1.5,
    1,
    1.7,
  ],
  ['a boolean', { type: 'boolean', default: true }, false, 'true', null],
  ['one of a few', { type: 'string', enum: ['a', 'b'] }, 'a', 'c'],
  ['an int32', { type: 'integer', format: 'int32' }, 5, 3_000_000_000],
  ['a time', { type: 'string', format: 'date-time' }, '2020-01-01T00:00:00Z', 'yesterday'],
  [
    'a list',
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    ['a'],
    [],
    ['a', 'b', 'c'],
    [1],
  ],
  [
    'a set',
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ['a', 'b'],
    ['a', 'a'],
  ],
  [
    'a list that is a map',
    {
      type: 'array',
      items: {
        type: 'object',
        required: ['k'],
        properties: { k: { type: 'string' }, v: { type: 'integer' } },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    [{ k: 'a' }],
    [{ k: 'a' }, { k: 'a' }],
    [{ v: 1 }],
  ],
  ['an int or text', { 'x-kubernetes-int-or-string': true }, 5, '50%', 1.5, true],
  ['a nullable field', { type: 'string', nullable: true, default: 'x' }, null, 'y'],
  [
    'a default',
    {
      type: 'object',
      default: {},
      properties: { a: { type: 'integer', default: 5 }, b: { type: 'string' } },
    },
    {},
    { b: 'x', c: 1 },
    null,
  ],
  [
    'a map',
    { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 2 },
    { a: 1 },
    { a: 'x' },
    { a: 1, b: 2, c: 3 },
  ],
  [
    'preserved fields',
    {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'object', properties: { b: { type: 'string' } } } },
    },
    { a: { b: 'x', c: 1 }, d: 2 },
  ],
  [
    'required parts',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    },
    { a: 'x', b: 'y' },
    { a: 'x' },
    {},
  ],
  [
    'alternatives',
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    { a: 'x' },
    { a: 'x', b: 'y' },
    {},
  ],
  ['a negation', { type: 'string', not: { enum: ['bad'] } }, 'good', 'bad'],
  [
    'an embedded object',
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', nope: 1 }, x: 1 },
    { kind: 'Pod' },
  ],
  ['numbers of all sizes', { type: 'number' }, 9007199254740991, 1e21, 0.1, -0.5],
]
