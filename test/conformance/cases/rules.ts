import type { JsonObject, JsonValue } from 'setpoint/schema'
import type { ConformanceCase, Step } from '../conformance-case.ts'
import { apply, del, get, merge, post, put, scenario, setup } from '../requests.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const definition = `${definitions}/rules.{ns}.example.com`
const rules = '/apis/{ns}.example.com/v1/namespaces/{ns}/rules'

/** A definition of `rules`, whose `spec` has this schema. */
function defined(spec: JsonObject, root: JsonObject = {}): JsonObject {
  return {
    metadata: { name: 'rules.{ns}.example.com' },
    spec: {
      group: '{ns}.example.com',
      scope: 'Namespaced',
      names: { plural: 'rules', singular: 'rule', kind: 'Rule', listKind: 'RuleList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec,
                status: {
                  type: 'object',
                  properties: { count: { type: 'integer' } },
                  'x-kubernetes-validations': [{ rule: 'self.count < 10' }],
                },
              },
              ...root,
            },
          },
        },
      ],
    },
  }
}

function rule(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: '{ns}.example.com/v1',
    kind: 'Rule',
    metadata: { name: 'r', ...metadata },
    spec,
  }
}

/** Serves a definition, and waits until the server uses it. */
function served(spec: JsonObject, root?: JsonObject): Step[] {
  return [
    setup(post(definitions, defined(spec, root))),
    setup(get(rules, { until: { code: 200 } })),
  ]
}

/** A patch that replaces the schema of a definition. */
function changed(spec: JsonObject): JsonObject {
  const { versions = [] } = defined(spec)['spec'] as { versions: JsonValue[] }
  return { spec: { versions } }
}

function withRules(schema: JsonObject, ...all: readonly JsonValue[]): JsonObject {
  return { ...schema, 'x-kubernetes-validations': all as JsonValue[] }
}

const text = { type: 'string', maxLength: 20 }
const number = { type: 'integer' }
const limits = {
  type: 'object',
  properties: { min: number, max: number, name: text },
}

function ruled(name: string, steps: readonly Step[]): ConformanceCase {
  return scenario(name, steps, { cleanup: [definition] })
}

/** A definition that is refused, or a warning. */
function refused(name: string, spec: JsonObject, root?: JsonObject): ConformanceCase {
  return ruled(name, [
    post(definitions, defined(spec, root), { show: ['code', 'message', 'details'] }),
  ])
}

/** The CEL rules of custom resources. */
export const ruleCases: readonly ConformanceCase[] = [
  ruled('a broken rule refuses an object with its message', [
    ...served(
      withRules(
        limits,
        { rule: 'self.min <= self.max' },
        { rule: 'self.max < 100', message: 'max must be small' },
        {
          rule: "self.name.startsWith('a')",
          messageExpression: "'the name ' + self.name + ' must begin with a'",
          reason: 'FieldValueForbidden',
          fieldPath: '.name',
        },
      ),
    ),
    post(rules, rule({ min: 1, max: 2, name: 'ab' })),
    post(rules, rule({ min: 3, max: 200, name: 'b' }, { name: 'bad' })),
    post(rules, rule({ min: 3 }, { name: 'missing' })),
    post(rules, rule({ min: 'x', max: 1, name: 'a' }, { name: 'type' })),
    put(`${rules}/r`, rule({ min: 5, max: 2, name: 'ab' })),
    merge(`${rules}/r`, { spec: { max: 500 } }),
    merge(`${rules}/r/status`, { status: { count: 11 } }),
    merge(`${rules}/r/status`, { status: { count: 9 } }, { show: ['status'] }),
    apply(`${rules}/r?fieldManager=a&force=true`, rule({ min: 9, max: 1, name: 'ab' })),
  ]),
  ruled('transition rules compare with the old object', [
    ...served(
      withRules(
        { type: 'object', properties: { size: number, kind: text } },
        { rule: 'self.size >= oldSelf.size', message: 'size must not shrink' },
        {
          rule: 'oldSelf.hasValue() || self.size < 5',
          optionalOldSelf: true,
          message: 'a new size must be small',
        },
        { rule: 'self.kind == oldSelf.kind', message: 'kind is immutable', fieldPath: '.kind' },
      ),
    ),
    post(rules, rule({ size: 7, kind: 'a' }, { name: 'large' })),
    post(rules, rule({ size: 3, kind: 'a' })),
    merge(`${rules}/r`, { spec: { size: 2 } }),
    merge(`${rules}/r`, { spec: { size: 50, kind: 'b' } }),
    merge(`${rules}/r`, { spec: { size: 50 } }, { show: ['spec'] }),
  ]),
  ruled('unchanged values that break a new rule are tolerated', [
    ...served({
      type: 'object',
      properties: { a: text, b: number, list: { type: 'array', items: number, maxItems: 5 } },
    }),
    setup(post(rules, rule({ a: 'x', b: 1 }))),
    setup(post(rules, rule({ list: [1, 2] }, { name: 'l' }))),
    setup(
      merge(
        definition,
        changed({
          type: 'object',
          properties: {
            a: withRules(text, { rule: "self == 'y'" }),
            b: withRules(number, { rule: 'self > 5' }),
            list: withRules(
              { type: 'array', items: withRules(number, { rule: 'self > 1' }), maxItems: 5 },
              { rule: 'self.size() > 5' },
            ),
          },
        }),
      ),
    ),
    setup(
      post(`${rules}?dryRun=All`, rule({ a: 'no' }, { name: 'probe' }), { until: { code: 422 } }),
    ),
    // A server visits fields in a random order, so each answer has one warning.
    merge(`${rules}/r`, { metadata: { labels: { x: 'y' } }, spec: { a: null } }),
    merge(`${rules}/r`, { spec: { b: 2 } }),
    merge(`${rules}/l`, { spec: { list: [1, 2, 3] } }),
    merge(`${rules}/r`, { spec: { a: 'y', b: 6 } }, { show: ['spec'] }),
  ]),
  ruled('rules of items, maps and the whole object', [
    ...served(
      {
        type: 'object',
        properties: {
          ports: {
            type: 'array',
            maxItems: 10,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: withRules(
              {
                type: 'object',
                required: ['name'],
                properties: { name: text, port: number },
              },
              { rule: 'self.port > 0', message: 'ports are positive' },
              { rule: 'self.port >= oldSelf.port', message: 'ports only grow' },
            ),
          },
          labels: {
            type: 'object',
            maxProperties: 5,
            additionalProperties: withRules(text, { rule: "self != 'bad'" }),
          },
          either: { 'x-kubernetes-int-or-string': true },
          any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
      {
        'x-kubernetes-validations': [
          { rule: 'self.metadata.name.size() < 5', message: 'short names only' },
          {
            rule: "!has(self.spec.either) || (type(self.spec.either) == int ? self.spec.either > 1 : self.spec.either == 'all')",
          },
        ],
      },
    ),
    post(
      rules,
      rule({
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 0 },
        ],
        labels: { x: 'bad', y: 'ok' },
      }),
    ),
    post(rules, rule({}, { name: 'too-long-a-name' })),
    post(rules, rule({ either: 1 })),
    post(rules, rule({ either: 'none' })),
    post(rules, rule({ either: 'all', ports: [{ name: 'a', port: 5 }] }), { show: ['spec'] }),
    merge(`${rules}/r`, {
      spec: {
        ports: [
          { name: 'b', port: 2 },
          { name: 'a', port: 4 },
        ],
      },
    }),
  ]),
  ruled('functions of the Kubernetes libraries', [
    ...served(
      withRules(
        {
          type: 'object',
          properties: {
            v: { type: 'string', maxLength: 64 },
            q: { type: 'string', maxLength: 20 },
            l: { type: 'array', maxItems: 10, items: number },
          },
        },
        {
          rule: "!has(self.v) || isURL(self.v) && url(self.v).getScheme() == 'https'",
          message: 'v is a secure URL',
        },
        {
          rule: "!has(self.q) || quantity(self.q).isLessThan(quantity('10Gi'))",
          message: 'q is small',
        },
        { rule: '!has(self.l) || self.l.isSorted() && self.l.sum() < 100', message: 'l is sorted' },
      ),
    ),
    post(rules, rule({ v: 'https://example.com/a', q: '9Gi', l: [1, 2, 3] })),
    post(rules, rule({ v: 'http://example.com', q: '11Gi', l: [3, 1] }, { name: 'bad' })),
    post(rules, rule({ q: 'many' }, { name: 'error' })),
  ]),
  refused('a rule that does not compile is refused', withRules(limits, { rule: 'self.other > 1' })),
  refused('a rule with a syntax error is refused', withRules(limits, { rule: 'self.min <' })),
  refused('a rule of another type is refused', withRules(limits, { rule: 'self.min + self.max' })),
  refused(
    'operands of different types are refused',
    withRules(limits, { rule: "self.min == 'a'" }),
  ),
  refused(
    'a message expression of another type is refused',
    withRules(limits, { rule: 'true', messageExpression: '1' }),
  ),
  refused('oldSelf in a list without keys is refused', {
    type: 'object',
    properties: {
      l: { type: 'array', maxItems: 3, items: withRules(number, { rule: 'self > oldSelf' }) },
    },
  }),
  refused('an expensive rule is refused', {
    type: 'object',
    properties: {
      l: withRules(
        { type: 'array', items: { type: 'string' } },
        { rule: 'self.all(x, self.all(y, x == y))' },
      ),
    },
  }),
  refused('a rule in an unbounded list is refused', {
    type: 'object',
    properties: {
      l: { type: 'array', items: withRules({ type: 'string' }, { rule: "self.contains('a')" }) },
    },
  }),
  refused(
    'several wrong rules are all reported',
    withRules(
      limits,
      { rule: 'self.a' },
      { rule: '1' },
      { rule: 'self.min > 0', fieldPath: '.none' },
    ),
  ),
  ruled('a definition that gets a wrong rule keeps the old one', [
    ...served(limits),
    merge(definition, changed(withRules(limits, { rule: 'self.x' })), {
      show: ['code', 'message'],
    }),
    setup(del(definition)),
  ]),
]
