import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { JsonValue, StructuralSchema } from '../schema/index.ts'
import { celEnvironment, type CelEnvironment } from './environment.ts'
import { jsonToValue } from './kubernetes/json-to-value.ts'
import { objectTypesIn, schemaType, sizeAt } from './kubernetes/schema-type.ts'
import { show } from './testdata/show-value.ts'
import { printType } from './types/cel-type.ts'
import type { CelResult } from './values/cel-value.ts'

// Recorded from cel-go 0.26 and k8s.io/apiserver 0.36.3 with scripts/record-cel/main.go.
interface Recorded {
  /** The expression. */
  readonly e: string
  /** The limit of the cost. */
  readonly l?: number
  readonly issues?: string
  readonly program?: string
  readonly type?: string
  readonly min?: string
  readonly max?: string
  readonly cost?: number
  readonly value?: string
  readonly error?: string
}

function read(name: string): Recorded[] {
  const content = readFileSync(new URL(`testdata/${name}`, import.meta.url))
  const text = name.endsWith('.gz') ? gunzipSync(content) : content
  return text
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
}

/** The same facts about the expression, from this engine. */
function answer(
  environment: CelEnvironment,
  { e, l }: Recorded,
  bindings: Readonly<Record<string, CelResult>> = {},
): Recorded {
  const head = l === undefined ? { e } : { l, e }
  const compiled = environment.compile(e)
  if (!compiled.ok) {
    const { message, isProgramFailure } = compiled
    return isProgramFailure ? { ...head, program: message } : { ...head, issues: message }
  }
  const { program } = compiled
  const evaluated = program.evaluate(bindings, l === undefined ? {} : { costLimit: l })
  const { value, error, cost } = evaluated
  return {
    ...head,
    type: printType(program.outputType),
    min: String(program.cost.min),
    max: String(program.cost.max),
    cost,
    ...(error === undefined ? { value: show(value ?? null) } : { error }),
  }
}

test('messages, types, costs, values and errors are those of cel-go in Kubernetes', () => {
  const environment = celEnvironment()
  const recorded = read('expressions.jsonl.gz')
  expect(recorded.length).toBeGreaterThan(3900)
  for (const each of recorded) expect(answer(environment, each)).toEqual(each)
})

test('expressions over an object have the types, costs and values of a real server', () => {
  const widget = JSON.parse(
    readFileSync(new URL('testdata/widget.json', import.meta.url), 'utf8'),
  ) as { schema: StructuralSchema; object: JsonValue; oldObject: JsonValue }
  const type = schemaType(widget.schema, true)
  if (type === undefined) throw new Error('the schema has no type')
  const environment = celEnvironment({
    variables: { self: type.type, oldSelf: type.type },
    objectTypes: objectTypesIn(type),
    sizeOfPath: (path) => sizeAt(type, path),
  })
  const self = jsonToValue(widget.object, widget.schema)
  const oldSelf = jsonToValue(widget.oldObject, widget.schema)
  for (const each of read('object-expressions.jsonl')) {
    expect(answer(environment, each, { self, oldSelf })).toEqual(each)
  }
})
