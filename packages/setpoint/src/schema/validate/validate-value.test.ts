import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { applyDefaults, jsonEquals, pruneUnknown, validateValue } from '../index.ts'
import type { FieldError, JsonValue, StructuralSchema } from '../index.ts'

interface Cause {
  readonly field: string
  readonly reason: string
  readonly message: string
}

interface Recorded {
  readonly case?: string
  readonly schema?: StructuralSchema
  readonly value?: JsonValue
  readonly sent?: Readonly<Record<string, JsonValue>>
  readonly causes?: readonly Cause[]
  readonly orderVaries?: true
  readonly stored?: JsonValue
  readonly warnings?: readonly string[]
}

/** Responses of a real 1.36 server; `scripts/record-schema-cases.ts` records them again. */
function recorded(name: string): Recorded[] {
  const text = readFileSync(new URL(`../testdata/${name}.jsonl`, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
}

function causesOf(errors: readonly FieldError[]): Cause[] {
  return errors.map(({ field, type, message }) => ({ field, reason: type, message }))
}

function sorted(causes: readonly Cause[]): Cause[] {
  const line = ({ field, message }: Cause) => `${field} ${message}`
  return causes.toSorted((a, b) => (line(a) < line(b) ? -1 : 1))
}

function write(schema: StructuralSchema, sent: JsonValue) {
  const { value, prunedPaths } = pruneUnknown(schema, sent, { isResourceRoot: true })
  const stored = applyDefaults(schema, value)
  return { stored, prunedPaths, errors: validateValue(schema, stored) }
}

test('stores, warns about or refuses every recorded value as the real server did', () => {
  let schema: StructuralSchema = {}
  let count = 0
  for (const line of recorded('value-create')) {
    if (line.schema !== undefined) {
      schema = { type: 'object', properties: { spec: line.schema } }
      continue
    }
    count += 1
    const { value = null, causes = [], warnings = [], orderVaries } = line
    const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec: value }
    const { stored, prunedPaths, errors } = write(schema, object)
    const order = orderVaries === true ? sorted : (list: readonly Cause[]) => [...list]
    expect([value, order(causesOf(errors))]).toEqual([value, order(causes)])
    if (causes.length > 0) continue
    expect([value, (stored as Record<string, JsonValue>)['spec']]).toEqual([value, line.stored])
    expect(prunedPaths.map((path) => `unknown field "${path}"`)).toEqual(warnings)
  }
  expect(count).toBeGreaterThan(650)
})

/** Recorded cases that do not concern the schema, and what they concern. */
const outOfScope: Readonly<Record<string, string>> = {
  'CEL with fieldPath and messageExpression': 'CEL',
  'CEL without message': 'CEL',
  'apiVersion differs from the path': 'request handling',
  'kind differs': 'request handling',
  'name bad': 'object metadata',
  'no metadata': 'object metadata',
  'label value a number': 'object metadata',
  'finalizer bad': 'object metadata',
}

function isOutOfScope({ field, message }: Cause): boolean {
  // The scale subresource reads the replicas itself; skipped CEL rules are announced.
  return field.startsWith('.spec.') || message.includes('some validation rules were not checked')
}

test('returns the same causes for the recorded Widgets, except CEL and metadata', () => {
  const [header, ...cases] = recorded('widget-create')
  const schema = header?.schema ?? {}
  let count = 0
  for (const { case: name = '', sent = {}, causes = [], stored, orderVaries } of cases) {
    if (outOfScope[name] !== undefined) continue
    count += 1
    // A create resets the status of a resource with the status subresource.
    const { status: _status, ...object } = sent
    const result = write(schema, object)
    const order = orderVaries === true ? sorted : (list: readonly Cause[]) => [...list]
    const expected = causes.filter((cause) => !isOutOfScope(cause))
    expect([name, order(causesOf(result.errors))]).toEqual([name, order(expected)])
    if (stored === undefined) continue
    const specOf = (value: JsonValue) => (value as Record<string, JsonValue>)['spec']
    expect([name, specOf(result.stored)]).toEqual([name, specOf(stored)])
  }
  expect(count).toBeGreaterThan(25)
})

test('adds a prefix to the fields but not to the messages, as for the status subresource', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      ready: { type: 'boolean' },
      set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
    required: ['phase'],
  }
  expect(causesOf(validateValue(schema, { ready: 'x', set: ['a', 'a'] }, 'status'))).toEqual([
    {
      field: 'status.ready',
      reason: 'FieldValueTypeInvalid',
      message: 'Invalid value: "string": ready in body must be of type boolean: "string"',
    },
    { field: 'status.phase', reason: 'FieldValueRequired', message: 'Required value' },
    { field: 'status.set[1]', reason: 'FieldValueDuplicate', message: 'Duplicate value: "a"' },
  ])
})

test('has the parts of an error besides its message', () => {
  const [error] = validateValue({ type: 'integer', minimum: 0 }, -1)
  expect(error).toEqual({
    type: 'FieldValueInvalid',
    field: '<nil>',
    badValue: -1,
    detail: ' in body should be greater than or equal to 0',
    message: 'Invalid value: -1:  in body should be greater than or equal to 0',
  })
})

test('fails every value with a pattern that is not RE2, and explains it', () => {
  const [error] = validateValue({ type: 'string', pattern: '(?=a)' }, 'a')
  expect(error?.message).toContain(
    "should match '(?=a), but pattern is invalid: error parsing regexp",
  )
})

test('treats keys that are special in JavaScript as ordinary fields', () => {
  const schema: StructuralSchema = { type: 'object', additionalProperties: { type: 'integer' } }
  const value = JSON.parse('{"__proto__": "x", "constructor": 1}') as JsonValue
  expect(validateValue(schema, value).map((error) => error.field)).toEqual(['__proto__'])
  const { value: pruned } = pruneUnknown({ type: 'object', properties: {} }, value)
  expect(jsonEquals(pruned, {})).toBe(true)
})

test('ends the format check of a hostile string', () => {
  const formats = ['email', 'hostname', 'uri', 'byte', 'k8s-long-name', 'ipv6', 'cidr', 'mac']
  const parts = ['a', '1', '.', ' ', '"', 'a.', 'a-', '::', '(', 'a@b.', '<']
  // A backtracking check would exceed the timeout of the test.
  for (const format of formats) {
    for (const part of parts) {
      const errors = validateValue({ type: 'string', format }, `${part.repeat(20_000)}!`)
      expect([format, part, errors.length]).toEqual([format, part, 1])
    }
  }
  expect(validateValue({ type: 'string', format: 'duration' }, '1'.repeat(20_000))).toHaveLength(1)
})

test('treats an integer that is not a double as an integer', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer', format: 'int64' } },
  } as const
  expect(validateValue(schema, { n: 9007199254740993n })).toEqual([])
  expect(validateValue(schema, { n: 9223372036854775807n })).toEqual([])
  expect(validateValue(schema, { n: 9223372036854775808n })).not.toEqual([])
  const small = { type: 'object', properties: { n: { type: 'integer', maximum: 5 } } } as const
  expect(validateValue(small, { n: 9007199254740993n })[0]?.message).toContain(
    'less than or equal to 5',
  )
})
