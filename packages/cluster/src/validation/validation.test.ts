import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { JsonObject } from 'setpoint/schema'
import { describe, expect, test } from 'vitest'
import { decodeTyped } from '../codec/index.ts'
import { applyBuiltinDefaults, prepareForUpdate } from '../defaults/index.ts'
import { scheduleProblem } from './batch/cron-schedule.ts'
import {
  builtinWarnings,
  finalizerWarnings,
  nameRuleOf,
  validateCreate,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateUpdate,
} from './index.ts'
import { formatIp, parseCidr, parseIp } from './fields/ip-address.ts'
import { unifiedDiff } from './go/unified-diff.ts'

type Json = Record<string, unknown>

interface Warned {
  readonly sent: Json & { apiVersion: string; kind: string }
  readonly warnings: readonly string[]
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./testdata/${name}`, import.meta.url), 'utf8')) as T
}

function decoded({ apiVersion, kind, ...rest }: Warned['sent']): JsonObject {
  const value = { apiVersion, kind, ...rest } as JsonObject
  const { object } = decodeTyped({ apiVersion, kind, value })
  applyBuiltinDefaults(apiVersion, kind, object)
  return object
}

function identity({ apiVersion, kind }: Warned['sent']) {
  const [group = '', version = ''] = apiVersion.includes('/')
    ? apiVersion.split('/')
    : ['', apiVersion]
  return { group, version, kind }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}

interface UpdateWarned {
  readonly subresource: string
  readonly old: Warned['sent']
  readonly sent: Warned['sent']
  readonly warnings: readonly string[]
}

/** Updates of stored objects that a real server accepted, with its warnings. */
const updates = readFileSync(new URL('testdata/update-warnings.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as UpdateWarned)

describe('warnings are those of a real server', () => {
  test.each(read<Warned[]>('warnings.json').map((item) => ({ title: item.warnings[0], item })))(
    '$title',
    ({ item }) => {
      const object = decoded(item.sent)
      expect(builtinWarnings({ ...identity(item.sent), object })).toEqual(item.warnings)
    },
  )

  test.each(updates)(
    '$old.kind $subresource, $#',
    ({ old: before, sent, subresource, warnings }) => {
      const kind = { ...identity(before), apiVersion: before.apiVersion }
      const [object, old] = [decoded(sent), decoded(before)]
      prepareForUpdate({ ...kind, object, old, subresource })
      expect(builtinWarnings({ ...kind, object, old, subresource })).toEqual(warnings)
    },
  )

  test('quotes fields that were sent empty', () => {
    const metadata = { name: 'a', namespace: 'n', uid: 'u' }
    const template = { metadata: { labels: {} }, spec: { containers: [{ name: 'a', image: 'x' }] } }
    const spec = { selector: { matchLabels: { a: 'b' } }, template }
    const sent = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec }
    const errors = validateCreate({ ...identity(sent), namespaced: true, object: decoded(sent) })
    expect(errors.map(({ message }) => message)).toContain(
      'Invalid value: {}: `selector` does not match template `labels`',
    )
  })

  test('warns about finalizers without a domain', () => {
    expect(finalizerWarnings({ finalizers: ['a', 'b.c', 'd.e/f', 'orphan'] })).toEqual([
      'metadata.finalizers: "a": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "b.c": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
    ])
    expect(finalizerWarnings({ finalizers: ['a'] }, { finalizers: ['a'] })).toEqual([])
  })
})

describe('metadata', () => {
  const stored = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1', finalizers: ['a/b'] }

  test('refuses new finalizers of a terminating object', () => {
    const old = { ...stored, deletionTimestamp: '2026-01-01T00:00:00Z' }
    const [error] = validateObjectMetaUpdate({ ...old, finalizers: ['a/b', 'c/d'] }, old)
    expect(error?.message).toBe(
      'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d"}',
    )
  })

  test('refuses changes of name, namespace and uid', () => {
    const changed = { ...stored, name: 'b', namespace: 'm', uid: 'v' }
    const fields = validateObjectMetaUpdate(changed, stored).map(({ field }) => field)
    expect(fields).toEqual(['metadata.name', 'metadata.namespace', 'metadata.uid'])
  })

  test('accepts another path', () => {
    const options = { namespaced: false, nameRule: nameRuleOf('example.com', 'widgets') }
    const [error] = validateObjectMeta({}, { ...options, path: 'items.metadata' })
    expect(error?.field).toBe('items.metadata.name')
  })

  test('has the name rules of a real server', () => {
    expect(nameRuleOf('', 'namespaces')('a.b', false)).toEqual(['must not contain dots'])
    expect(nameRuleOf('rbac.authorization.k8s.io', 'roles')('system:x', false)).toEqual([])
    expect(nameRuleOf('', 'configmaps')('a-', true)).toEqual([])
    expect(nameRuleOf('', 'configmaps')('a-', false)).toHaveLength(1)
  })
})

test('never changes the objects', () => {
  for (const { object } of read<{ object: Warned['sent'] }[]>('mutated-objects.json')) {
    const value = frozen(decoded(object))
    const input = { ...identity(object), object: value }
    validateCreate({ ...input, namespaced: true })
    builtinWarnings(input)
    validateUpdate({ ...input, namespaced: true, old: value, subresource: '' })
  }
})

test('checks only metadata for kinds and subresources without rules', () => {
  const metadata = { name: 'a', namespace: 'n', resourceVersion: '1' }
  const object = { metadata, data: { 'not a key!': '' } }
  const kind = { group: '', version: 'v1', namespaced: true, object }
  expect(validateCreate({ ...kind, kind: 'Nothing' })).toEqual([])
  const change = { ...kind, kind: 'ConfigMap', old: object }
  expect(validateUpdate({ ...change, subresource: 'scale' })).toEqual([])
  expect(validateUpdate(change)).toHaveLength(1)
})

describe('addresses', () => {
  test('parses a formatted address as the same address', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (value) => {
        const isIpv4 = value >> 32n === 0xffffn
        const text = formatIp({ value, isIpv4, hasColon: !isIpv4 })
        expect(parseIp(text)?.value).toBe(value)
      }),
      { numRuns: 200 },
    )
  })

  test.each(['', 'x', '1.2.3', '1.2.3.256', '::x', ':::', '1::2::3', '1:2:3:4:5:6:7:8:9'])(
    'refuses %j as an address',
    (text) => {
      expect(parseIp(text)).toBeUndefined()
    },
  )

  test('requires a valid prefix length in networks', () => {
    expect(parseCidr('10.0.0.0/33')).toBeUndefined()
    expect(parseCidr('2001:db8::/64')?.prefix).toBe(64)
  })
})

test('shows three lines around each change in a diff', () => {
  const before = Array.from({ length: 12 }, (_, index) => `line ${index}`)
  const after = before.map((line) => (line === 'line 6' ? 'changed' : line))
  expect(unifiedDiff(before, after)).toBe(
    [
      '@@ -4,7 +4,7 @@',
      ' line 3',
      ' line 4',
      ' line 5',
      '-line 6',
      '+changed',
      ' line 7',
      ' line 8',
      ' line 9',
      '',
    ].join('\n'),
  )
  expect(unifiedDiff(before, before)).toBe('')
})

test.each([
  ['*/5 * * * *', undefined],
  ['@hourly', undefined],
  ['@every 1h30m', undefined],
  ['0 0 * jan-mar sun,tue', undefined],
  ['@often', 'unrecognized descriptor: @often'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
])('checks the schedule %s', (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem)
})
