import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { celEnvironment } from './environment.ts'
import { readValue, type RecordedValue } from './testdata/read-value.ts'
import { show } from './testdata/show-value.ts'
import { printType } from './types/cel-type.ts'
import { readType } from './types/function-declaration.ts'

interface ConformanceCase {
  readonly suite: string
  readonly name: string
  readonly expr: string
  readonly container?: string
  readonly variables?: Readonly<Record<string, string>>
  readonly bindings?: Readonly<Record<string, RecordedValue>>
  readonly unchecked?: boolean
  readonly checkOnly?: boolean
  readonly value?: RecordedValue
  readonly type?: string
  readonly error?: boolean
}

// The cases of cel-spec 0.25.1 that need no protobuf messages.
const cases = readFileSync(new URL('testdata/conformance.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as ConformanceCase)

/** The suites of libraries that Kubernetes does not enable. */
const disabledSuites: Readonly<Record<string, string>> = {
  bindings_ext: 'cel.bind is not enabled',
  block_ext: 'cel.block is not enabled',
  encoders_ext: 'base64 is not enabled',
  math_ext: 'math is not enabled',
  proto2: 'protobuf messages',
  proto2_ext: 'protobuf messages',
  proto3: 'protobuf messages',
  enums: 'protobuf messages',
  wrappers: 'protobuf messages',
}

/** Expressions for which Kubernetes differs from the specification, by reason. */
const exceptions = JSON.parse(
  readFileSync(new URL('testdata/conformance-exceptions.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>
const knownExceptions = new Set(Object.values(exceptions).flat())

/** What the case computes, or undefined if that is what the specification demands. */
function differenceOf(conformance: ConformanceCase): string | undefined {
  const { container = '', variables = {}, bindings = {} } = conformance
  const env = celEnvironment({
    container,
    hasMixedLiterals: true,
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, type]) => [name, readType(type)]),
    ),
  })
  const compiled = env.compile(conformance.expr)
  // Kubernetes checks every expression; the specification also evaluates unchecked ones.
  const isRefused = conformance.error === true || conformance.unchecked === true
  if (!compiled.ok) return isRefused ? undefined : compiled.message
  const { outputType } = compiled.program
  if (conformance.type !== undefined && printType(outputType) !== conformance.type) {
    return printType(outputType)
  }
  if (conformance.checkOnly === true) return undefined
  const values = Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [name, readValue(value)]),
  )
  const { value, error } = compiled.program.evaluate(values)
  if (conformance.error === true) return error === undefined ? show(value ?? null) : undefined
  if (error !== undefined) return error
  if (conformance.value === undefined) return undefined
  const shown = show(value ?? null)
  return shown === show(readValue(conformance.value)) ? undefined : shown
}

for (const suite of new Set(cases.map((member) => member.suite))) {
  const members = cases.filter((member) => member.suite === suite)
  const reason = disabledSuites[suite]
  test.skipIf(reason !== undefined)(
    `the suite ${suite} of the specification passes${reason === undefined ? '' : `: ${reason}`}`,
    () => {
      const differences = members.flatMap((member) => {
        const difference = knownExceptions.has(member.expr) ? undefined : differenceOf(member)
        return difference === undefined ? [] : [`${member.expr}: ${difference}`]
      })
      expect(differences).toEqual([])
    },
  )
}
