import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { celEnvironment } from './environment.ts'
import { readValue, type RecordedValue } from './testdata/read-value.ts'
import { show } from './testdata/show-value.ts'
import { celTypes, printType, type CelType } from './types/cel-type.ts'
import { declare } from './types/function-declaration.ts'

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

/** The suites of libraries that Kubernetes does not enable, with the function that is missing. */
const disabledSuites: Readonly<Record<string, string>> = {
  bindings_ext: 'cel.bind',
  block_ext: 'cel.block',
  encoders_ext: 'base64.encode',
  math_ext: 'math.greatest',
}

/** The type with this text, such as `map(string, int)`. */
function readType(text: string): CelType {
  const [declaration] = declare({ f: [[`f(): ${text}`, () => null]] })
  return declaration?.overloads[0]?.result ?? celTypes.dyn
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

const suites = new Set(cases.map(({ suite }) => suite))

for (const suite of [...suites].filter((name) => !Object.hasOwn(disabledSuites, name))) {
  test(`the suite ${suite} of the specification passes`, () => {
    const differences = cases
      .filter((member) => member.suite === suite && !knownExceptions.has(member.expr))
      .flatMap((member) => {
        const difference = differenceOf(member)
        return difference === undefined ? [] : [`${member.expr}: ${difference}`]
      })
    expect(differences).toEqual([])
  })
}

test('the cases of libraries that Kubernetes does not enable do not compile', () => {
  const disabled = cases.filter(({ suite }) => Object.hasOwn(disabledSuites, suite))
  const compiling = disabled.filter(({ expr }) => celEnvironment().compile(expr).ok)
  expect(compiling).toEqual([])
})
