import fc from 'fast-check'
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

test('finds all values at a path', () => {
  const evaluate = (path: string) => [...evaluateJsonPath(steps(path), object)]
  expect(evaluate('.')).toEqual([object])
  expect(evaluate('.spec.ports[0].port')).toEqual([1])
  expect(evaluate('.spec.ports[-1].port')).toEqual([2])
  expect(evaluate('.spec.ports[*].port')).toEqual([1, 2])
  expect(evaluate('.spec.ports.*.port')).toEqual([1, 2])
  expect(evaluate('.metadata.labels.*')).toEqual(['x'])
  expect(evaluate(".metadata.labels['a\\.b/c']")).toEqual(['x'])
  expect(evaluate('.metadata.labels.a\\.b/c')).toEqual(['x'])
  expect(evaluate(".spec['odd\\.name']")).toEqual([true])
  expect(evaluate('.spec.odd\\.name')).toEqual([true])
  expect(evaluate('.status.conditions[?(@.type=="Ready")].status')).toEqual(['True'])
  expect(evaluate(".status.conditions[?( @.type != 'Ready' )].status")).toEqual(['False'])
  expect(evaluate('.status.conditions[?(@.count==1)].type')).toEqual(['Ready'])
})

// All of these were columns of a 1.36 server.
test('parses a name with special characters as a server does', () => {
  const odd: JsonValue = { 's p': 1, d$d: 2, 'br]r': 3, "q'q": 4, 'a-b': 5, ww: 6, 'o=o': 7 }
  const evaluate = (path: string) => [...evaluateJsonPath(steps(path), odd)]
  expect(evaluate('.s\\ p')).toEqual([1])
  expect(evaluate('.d\\$d')).toEqual([2])
  expect(evaluate('.br\\]r')).toEqual([3])
  expect(evaluate(".q'q")).toEqual([4])
  expect(evaluate('.a\\-b')).toEqual([5])
  expect(evaluate('.w\\\\w')).toEqual([6])
  expect(evaluate('.o=o')).toEqual([7])
})

test('refuses a path that a server misreads, and shows the right form', () => {
  const problem = (path: string) => parseJsonPath(path).problem
  // An empty cell: the quotes do not protect the dot.
  expect(problem(".a['b.c']")).toBe(
    "the name 'b.c' ends at its first special character: write ['b\\.c'] in .a['b.c']",
  )
  expect(problem(".a['b c']")).toMatch(/write \['b\\ c'\]/)
  expect(problem('.a b')).toMatch(/^" " ends the name before it: write \\ /)
  expect(problem(".a.['b']")).toBe("a dot before [ finds no field: remove the dot in .a.['b']")
  // The server drops the column and all after it.
  expect(problem('.a["b"]')).toBe('the name "b" needs single quotes: write [\'b\'] in .a["b"]')
  expect(problem('.a["b.c"]')).toMatch(/write \['b\\.c'\]/)
  expect(problem(".a['b]c']")).toMatch(/cannot stand in brackets: write \.b\\\]c /)
  expect(problem(".a['b\\'c']")).toMatch(/cannot stand in brackets: write \.b'c /)
  expect(problem('.a,b')).toMatch(/^"," ends the name before it/)
  expect(problem('.a\\')).toBe('nothing follows the backslash in .a\\')
  expect(problem(".a[?(@.b=='c\\.d')]")).toMatch(/are not supported/)
  expect(problem('.a[?(@.b==1.2.3)]')).toMatch(/are not supported/)
  expect(problem('.a[?(@.b==null)]')).toMatch(/are not supported/)
  expect(problem(".a['']")).toBe("the brackets [''] name no field in .a['']")
  expect(problem("['a']")).toBe("must start with a dot: ['a']")
})

test('parses or refuses any text, and never crashes', () => {
  const token = fc.constantFrom(...'.[]()\'"\\?@=!*-0 a,$'.split(''), '[?(@.', '==', "['", "']")
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const { steps: read, problem } = parseJsonPath(tokens.join(''))
      expect(read === undefined).toBe(problem !== undefined)
    }),
    { numRuns: 2000 },
  )
})

test('finds nothing at a path with a missing step', () => {
  const evaluate = (path: string) => [...evaluateJsonPath(steps(path), object)]
  expect(evaluate('.spec.nothing.deeper')).toEqual([])
  expect(evaluate('.spec.ports[9]')).toEqual([])
  expect(evaluate('.spec.ports.constructor')).toEqual([])
  expect(evaluate('.spec[?(@.a=="b")]')).toEqual([])
})

test('refuses a path in another dialect with the reason', () => {
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

test('finds the schema of a field at a path', () => {
  const resolve = (path: string) => resolveSchemaPath(schema, steps(path)).schema
  expect(resolve('.')).toBe(schema)
  expect(resolve('.spec.image')).toEqual({ type: 'string' })
  expect(resolve('.spec.labels.anything')).toEqual({ type: 'integer' })
  expect(resolve('.status.conditions[?(@.type=="Ready")].lastTransitionTime')?.format).toBe(
    'date-time',
  )
  expect(resolve('.status.conditions[0].type')).toEqual({ type: 'string' })
  expect(resolve('.metadata.creationTimestamp')?.format).toBe('date-time')
  expect(resolve(".metadata.labels['a\\.b']")).toEqual({ type: 'string' })
  expect(resolve('.spec.free.anything.goes[0]')).toEqual({
    'x-kubernetes-preserve-unknown-fields': true,
  })
})

test('names the step of an unknown path, and the fields that exist', () => {
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
