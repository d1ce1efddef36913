import { expect, test } from 'vitest'
import { evaluateJsonPath, parseJsonPath, resolveSchemaPath } from './index.ts'
import type { JsonPathStep, JsonValue, StructuralSchema } from './index.ts'

const object: JsonValue = {
  metadata: { labels: { 'a.b/c': 'x' } },
  spec: { ports: [{ port: 1 }, { port: 2 }], 'odd.name': true },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', count: 1 },
      { type: 'Stalled', status: 'False' },
    ],
  },
}

function steps(path: string): readonly JsonPathStep[] {
  const parsed = parseJsonPath(path)
  if (parsed.problem !== undefined) throw new Error(parsed.problem)
  return parsed.steps
}

test('a path leads to every value it names', () => {
  const evaluate = (path: string) => evaluateJsonPath(steps(path), object)
  expect(evaluate('.')).toEqual([object])
  expect(evaluate('.spec.ports[0].port')).toEqual([1])
  expect(evaluate('.spec.ports[-1].port')).toEqual([2])
  expect(evaluate('.spec.ports[*].port')).toEqual([1, 2])
  expect(evaluate('.spec.ports.*.port')).toEqual([1, 2])
  expect(evaluate('.metadata.labels.*')).toEqual(['x'])
  expect(evaluate(".metadata.labels['a.b/c']")).toEqual(['x'])
  expect(evaluate('.metadata.labels.a\\.b/c')).toEqual(['x'])
  expect(evaluate('.spec["odd.name"]')).toEqual([true])
  expect(evaluate('.spec.odd\\.name')).toEqual([true])
  expect(evaluate('.status.conditions[?(@.type=="Ready")].status')).toEqual(['True'])
  expect(evaluate(".status.conditions[?( @.type != 'Ready' )].status")).toEqual(['False'])
  expect(evaluate('.status.conditions[?(@.count==1)].type')).toEqual(['Ready'])
})

test('a path through something missing leads to nothing', () => {
  const evaluate = (path: string) => evaluateJsonPath(steps(path), object)
  expect(evaluate('.spec.nothing.deeper')).toEqual([])
  expect(evaluate('.spec.ports[9]')).toEqual([])
  expect(evaluate('.spec.ports.constructor')).toEqual([])
  expect(evaluate('.spec[?(@.a=="b")]')).toEqual([])
})

test('a path in another dialect is refused with the reason', () => {
  const problem = (path: string) => parseJsonPath(path).problem
  expect(problem('spec')).toBe('must start with a dot: spec')
  expect(problem('.a..b')).toBe('recursive descent (..) is not supported in .a..b')
  expect(problem('.a[0:2]')).toMatch(/^the brackets \[0:2\] are not supported: use \[0\]/)
  expect(problem('.a[0')).toBe('a closing ] is missing in .a[0')
  expect(problem('.a.')).toBe('a field name is missing before "." in .a.')
  expect(problem('.a]')).toBe('an opening [ is missing in .a]')
})

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        image: { type: 'string' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        labels: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    },
    status: {
      type: 'object',
      properties: {
        conditions: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              type: { type: 'string' },
              lastTransitionTime: { type: 'string', format: 'date-time' },
            },
          },
        },
      },
    },
  },
}

test('a path through a schema ends at the schema of the field', () => {
  const resolve = (path: string) => resolveSchemaPath(schema, steps(path)).schema
  expect(resolve('.')).toBe(schema)
  expect(resolve('.spec.image')).toEqual({ type: 'string' })
  expect(resolve('.spec.labels.anything')).toEqual({ type: 'integer' })
  expect(resolve('.status.conditions[?(@.type=="Ready")].lastTransitionTime')?.format).toBe(
    'date-time',
  )
  expect(resolve('.status.conditions[0].type')).toEqual({ type: 'string' })
  expect(resolve('.metadata.creationTimestamp')?.format).toBe('date-time')
  expect(resolve(".metadata.labels['a.b']")).toEqual({ type: 'string' })
  expect(resolve('.spec.free.anything.goes[0]')).toEqual({
    'x-kubernetes-preserve-unknown-fields': true,
  })
})

test('a path that leads nowhere says at which step, and what is there instead', () => {
  const resolve = (path: string) => resolveSchemaPath(schema, steps(path))
  expect(resolve('.spec.imege')).toEqual({ missing: 1, known: ['free', 'image', 'labels'] })
  expect(resolve('.spce')).toEqual({
    missing: 0,
    known: ['apiVersion', 'kind', 'metadata', 'spec', 'status'],
  })
  expect(resolve('.spec.image.x')).toEqual({ missing: 2, known: [] })
  expect(resolve('.spec[0]')).toEqual({ missing: 1, known: ['free', 'image', 'labels'] })
  expect(resolve('.status.conditions[?(@.kind=="Ready")].type')).toEqual({ missing: 2, known: [] })
})
