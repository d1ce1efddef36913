import { createRequire } from 'node:module'
import { isJsonObject, type JsonValue } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../status/index.ts'
import { applyJsonPatch } from './index.ts'

/** A case of the public JSON patch suite (json-patch-test-suite). */
interface SuiteCase {
  readonly comment?: string
  readonly doc: JsonValue
  readonly patch: readonly JsonValue[]
  readonly expected?: JsonValue
  readonly error?: string
  readonly disabled?: boolean
}

/** Where a real server (1.36, tested with a custom resource) differs from the suite. */
const deviations = new Map<string, { readonly why: string; readonly gives: JsonValue }>([
  [
    'tests 16',
    { why: 'a negative index counts from the end of a list', gives: { bar: [1, 2, '5'] } },
  ],
  ['tests 70', { why: 'a missing value is null', gives: [1, null] }],
  ['tests 71', { why: 'a missing value is null', gives: [null] }],
  ['tests 72', { why: 'a missing value is null', gives: [null] }],
])

const require = createRequire(import.meta.url)
const cases = ['tests', 'spec_tests'].flatMap((file) =>
  (require(`json-patch-test-suite/${file}.json`) as SuiteCase[]).map(
    (one, index) => [`${file} ${index}`, one] as const,
  ),
)
const enabled = cases.filter(([, { disabled }]) => disabled !== true)

/** A server only stores objects, so the document of a case is nested one level deeper. */
function deeper(operation: JsonValue): JsonValue {
  if (!isJsonObject(operation)) return operation
  const moved = ['path', 'from']
    .map((name) => [name, operation[name]] as const)
    .filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string')
    .map(([name, pointer]) => [name, `/doc${pointer}`])
  return { ...operation, ...(Object.fromEntries(moved) as { path?: string; from?: string }) }
}

function outcome({ doc, patch }: SuiteCase): JsonValue | undefined {
  try {
    return applyJsonPatch({ doc }, patch.map(deeper))['doc']
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return undefined
  }
}

describe('the public JSON patch suite', () => {
  it('has the cases that were run on a real server', () => {
    expect(enabled).toHaveLength(91)
  })

  it.each(enabled)('%s has the result of a real server', (name, one) => {
    const expected = one.error === undefined ? (one.expected ?? one.doc) : undefined
    const deviation = deviations.get(name)
    expect(outcome(one)).toEqual(deviation === undefined ? expected : deviation.gives)
  })
})
